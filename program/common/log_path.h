/*
 * log_path.h - where SQLite keeps changes that are not yet in a database file.
 */
#ifndef TABIYA_COMMON_LOG_PATH_H
#define TABIYA_COMMON_LOG_PATH_H

/* The write-ahead log next to the file that the path leads to, whether or not it exists. To be freed; NULL without memory,
   and for a server's database. */
char *log_path(const char *path);

#endif

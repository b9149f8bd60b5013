/*
 * info.h - what is in a database, and what takes up its space.
 */
#ifndef TABIYA_COMMON_INFO_H
#define TABIYA_COMMON_INFO_H

#include "support/buffer.h"
#include "tabiya_db.h"

/* As lines, or as one object on one line. `with_sizes`: also the size of each table in bytes, which requires reading
   every page. False if something could not be read: tby_db_failure says what. */
bool info_write(buffer *out, tby_db *db, bool as_json, bool with_sizes);

#endif

/*
 * commands.h - the commands, one file each.
 */
#ifndef TABIYA_CLI_COMMANDS_H
#define TABIYA_CLI_COMMANDS_H

#include "options.h"

extern const command cmd_annotate;
extern const command cmd_check;
extern const command cmd_cluster;
extern const command cmd_collection;
extern const command cmd_convert;
extern const command cmd_delete;
extern const command cmd_explore;
extern const command cmd_export;
extern const command cmd_find;
extern const command cmd_import;
extern const command cmd_info;
extern const command cmd_moves;
extern const command cmd_names;
extern const command cmd_novelty;
extern const command cmd_perft;
extern const command cmd_pgn;
extern const command cmd_publish;
extern const command cmd_repertoire;
extern const command cmd_report;
extern const command cmd_rows;
extern const command cmd_serve;
extern const command cmd_show;
extern const command cmd_sql;
extern const command cmd_status;
extern const command cmd_tree;
extern const command cmd_verify;

/* All of them, in the order of their names, ended by NULL. */
enum { N_COMMANDS = 26 };
extern const command *const commands[N_COMMANDS + 1];

#endif

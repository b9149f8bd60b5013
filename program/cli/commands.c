/*
 * commands.c - the list of all commands.
 */
#include "commands.h"

const command *const commands[N_COMMANDS + 1] = {
    &cmd_annotate, &cmd_check,  &cmd_cluster,    &cmd_collection, &cmd_convert, &cmd_delete, &cmd_explore,
    &cmd_export,   &cmd_find,   &cmd_import,     &cmd_info,       &cmd_moves,   &cmd_names,  &cmd_novelty,
    &cmd_perft,    &cmd_pgn,    &cmd_repertoire, &cmd_report,     &cmd_rows,    &cmd_serve,  &cmd_show,
    &cmd_sql,      &cmd_status, &cmd_tree,       &cmd_verify,     NULL,
};

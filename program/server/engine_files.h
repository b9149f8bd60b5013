/*
 * engine_files.h - an engine that runs in browsers: the files of a folder, to be served or published beside the page.
 */
#ifndef TABIYA_SERVER_ENGINE_FILES_H
#define TABIYA_SERVER_ENGINE_FILES_H

#include "assets.h"
#include "problem.h"

enum { ENGINE_FILES_MOST = 32 };

typedef struct engine_files {
    asset of[ENGINE_FILES_MOST]; /* their paths are "/engine/NAME" */
    size_t n;
    bool has_licence;
} engine_files;

/* Reads the one worker script of the folder (.js, .mjs), what it may load (.wasm, .nnue, .bin, .data), and its licence
   (LICENSE, COPYING and the like). Other files are left out. */
bool engine_files_read(engine_files *out, const char *folder, problem *p);
void engine_files_free(engine_files *files);
/* The name of a file; NULL if a browser does not need it to run the engine. */
const char *engine_file_name(const asset *file);

#endif

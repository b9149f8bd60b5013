/*
 * tabiya_publish.h - collections of games as files that any web server can serve: the public API of libtabiya_publish.
 *
 * docs/formats/published.md describes the files. Conventions are those of tabiya.h.
 *
 *     tby_publisher *p = tby_publisher_new();
 *     for each game:  tby_publisher_add(p, &row, id, &failure);
 *     tby_publisher_write(p, &options, put_file, folder, &failure);
 *     tby_publisher_free(p);
 */
#ifndef TABIYA_PUBLISH_H
#define TABIYA_PUBLISH_H

#include "tabiya_query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No file is larger: free hosts refuse larger ones. */
enum { TBY_PUBLISH_FILE_MAX = 24000000, TBY_PUBLISH_VERSION = 1 };

typedef struct tby_publisher tby_publisher;

TBY_API tby_publisher *tby_publisher_new(void); /* NULL: out of memory */
TBY_API void tby_publisher_free(tby_publisher *publisher);
/* Adds a game; the row is copied. `id` is the number by which it will be known; no two games may have the same. Fails
   for bytes that are not a game. */
TBY_API tby_status tby_publisher_add(tby_publisher *publisher, const tby_row *row, tby_game_id id,
                                     tby_failure *failure);
TBY_API uint64_t tby_publisher_n_games(const tby_publisher *publisher);
/* A number for all that is known of the first `n` games, before they are written: the same for the same games. */
TBY_API uint64_t tby_publisher_digest(const tby_publisher *publisher, uint64_t n);

/* Takes one complete file, at most TBY_PUBLISH_FILE_MAX bytes; its name has no folder. False ends the work with
   TBY_IO_ERROR. */
typedef bool (*tby_publish_file)(void *context, const char *name, const uint8_t *bytes, size_t n);
/* Called regularly with the fraction done, from 0 to 1; returning false ends the work with TBY_INTERRUPTED. */
typedef bool (*tby_publish_progress)(void *context, double fraction);

typedef struct tby_publish_options {
    const char *title;  /* of the collection, for people; NULL: none */
    unsigned n_threads; /* 0 = one per processor */
    uint64_t memory;    /* for sorting positions, in bytes; less takes longer (0: 1 GB) */
    tby_publish_progress progress;
    void *progress_context;
} tby_publish_options;

/* Writes the files. The last one is `manifest.json`: until it is there, no reader uses the others. */
TBY_API tby_status tby_publisher_write(tby_publisher *publisher, const tby_publish_options *options,
                                       tby_publish_file put, void *context, tby_failure *failure);

#ifdef __cplusplus
}
#endif

#endif

/*
 * publish.h - what the parts of the publisher share: games, names, and the stream of bytes that becomes files.
 *
 * docs/formats/published.md describes what is written.
 */
#ifndef TBY_PUBLISH_PUBLISH_H
#define TBY_PUBLISH_PUBLISH_H

#include "codec/varint.h"
#include "support/buffer.h"
#include "support/failure.h"
#include "tabiya_publish.h"

enum {
    PUBLISH_GROUP = 64,      /* games that are stored together */
    PUBLISH_ROWS = 256,      /* rows in a part of a player's list */
    PUBLISH_NUMBERS = 16384, /* numbers of games in a part of other lists */
    PUBLISH_ORDER = 4096,    /* games in a part of an order */
    PUBLISH_NAMES = 24576,   /* bytes of names in one chunk, about */
    PUBLISH_BLOCK = 32768,   /* a block of positions, as a chunk */
    PUBLISH_TOP = 12         /* games of the highest mean rating that are listed with a position of more games */
};

/* ---- Names ---------------------------------------------------------------------------------------------- */

typedef enum publish_kind {
    PUBLISH_PLAYERS,
    PUBLISH_EVENTS,
    PUBLISH_SITES,
    PUBLISH_ECO,
    PUBLISH_SHAPES, /* the names of all tags of a game; these have no lists */
    N_PUBLISH_KINDS
} publish_kind;

typedef struct publish_name {
    tby_text text;
    uint32_t n_games;
    uint32_t n_before; /* games of other names in the first part of its list */
    uint64_t list_at;  /* of that part, from the start of the section */
    buffer sizes;      /* of the parts, as varints */
} publish_name;

/* The names of one kind, each once; a name has a number, its index. */
typedef struct publish_names {
    publish_name *of;
    size_t n, cap;
    uint32_t *slots; /* of a hash table: number + 1, 0 = free */
    size_t n_slots;
} publish_names;

/* ---- Games ---------------------------------------------------------------------------------------------- */

typedef struct publish_game {
    tby_row row; /* its texts are in the publisher's memory */
    tby_game_id id;
    uint32_t names[6]; /* numbers + 1 of white, black, event, site, eco, shape; 0: none */
    uint64_t notes_at; /* of its record, from the start of the section */
    size_t notes_size;
} publish_game;
enum { NAME_WHITE, NAME_BLACK, NAME_EVENT, NAME_SITE, NAME_ECO, NAME_SHAPE };
/* The kind of each of these. */
extern const publish_kind publish_kinds[6];

/* ---- The stream ----------------------------------------------------------------------------------------- */

/* Chunks, one after the other; cut into files between chunks. */
typedef struct publish_stream {
    buffer file;  /* the current one */
    uint64_t at;  /* of the next chunk, in all files together */
    buffer files; /* ["NAME",SIZE], ... as JSON */
    tby_publish_file put;
    void *context;
    tby_failure *failure;
} publish_stream;

/* Adds a chunk; returns its size, 0 on failure. */
size_t publish_stream_chunk(publish_stream *s, const buffer *chunk);
/* Adds the bytes as a chunk, and clears them. */
size_t publish_stream_pack(publish_stream *s, buffer *bytes);
/* The bytes as a file of gzip, compressed or as they are; fails `out` if out of memory. */
void publish_pack(buffer *out, const buffer *bytes);
void publish_store(buffer *out, const buffer *bytes);
enum { PUBLISH_STORE_SIZE = 23 }; /* bytes that publish_store adds to fewer than 65,536 */
/* The last file is complete. */
bool publish_stream_end(publish_stream *s);
/* FNV-1a, of one part after the other: tells contents apart. */
#define PUBLISH_HASH_BEGIN 0xcbf29ce484222325ULL
uint64_t publish_hash(uint64_t hash, const void *bytes, size_t n);
/* The name of a file with these bytes: 16 digits. */
enum { PUBLISH_NAME_SIZE = 24 };
void publish_stream_name(char name[PUBLISH_NAME_SIZE], const uint8_t *bytes, size_t n, const char *ending);

/* ---- The publisher -------------------------------------------------------------------------------------- */

typedef struct publish_memory {
    struct publish_memory *next;
    size_t n, cap;
    char bytes[];
} publish_memory;

struct tby_publisher {
    publish_game *games; /* in the order of their moves, once they are sorted: the index is the number */
    size_t n_games, cap_games;
    publish_names names[N_PUBLISH_KINDS];
    publish_memory *memory; /* of texts */
    uint64_t n_positions;
    /* While files are written: */
    const tby_publish_options *options;
    publish_stream out;
    buffer sections; /* of the directory, as members of a JSON object */
    buffer groups;   /* the sizes of the groups of games, as varints */
    buffer firsts;   /* the first keys of the blocks of positions: see blocks.c */
    unsigned number_bytes;
    double fraction; /* of the work that is done */
    int newest;      /* the code of the last date */
    tby_failure *failure;
};

/* Reports progress; false, with the failure, if the caller wants to stop. */
bool publish_report(tby_publisher *p, double fraction);
/* Adds a member "NAME":START for what is written from now on. */
void publish_section(tby_publisher *p, const char *name);
/* A date as one number that keeps the order: 20190531. */
uint32_t publish_date_code(int date);
/* A number of a game, in the publication's number of bytes. */
void publish_put_number(const tby_publisher *p, buffer *b, size_t number);
/* A varint, and the bytes; with `may_be_missing` the varint is one more, and 0 for no text. */
void publish_put_text(buffer *b, tby_text text, bool may_be_missing);
/* How many threads to use. */
unsigned publish_threads(const tby_publisher *p);

/* Chunks that are made in several threads. `make` appends the bytes of one; `take` is called in their order, with the
   size that it has in the stream. */
typedef struct publish_chunks {
    size_t n;
    void (*make)(void *context, size_t index, buffer *out);
    void (*take)(void *context, size_t index, size_t size);
    void *context;
} publish_chunks;
/* Writes them, compressed. */
bool publish_chunks_write(tby_publisher *p, const publish_chunks *chunks);

/* names.c */
/* The number of a name; UINT32_MAX if out of memory. A new name is copied by `copy`. */
uint32_t publish_names_number(tby_publisher *p, publish_kind kind, tby_text text);
void publish_names_free(publish_names *names);
/* Writes the names with the places of their lists. */
bool publish_names_write(tby_publisher *p);
/* Text that lives as long as the publisher; NULL if out of memory. */
char *publish_copy(tby_publisher *p, const char *s, size_t n);

/* games.c */
bool publish_games_sort(tby_publisher *p);
bool publish_games_write(tby_publisher *p);
/* A game as a row; `brief` is without tags and comments. */
void publish_games_put_row(buffer *b, const publish_game *game, bool brief);

/* lists.c */
bool publish_lists_write(tby_publisher *p);
/* The order of a list by mean rating: does game `a` come before `b`? */
bool publish_lists_is_stronger(const publish_game *a, const publish_game *b);

/* blocks.c */
bool publish_blocks_write(tby_publisher *p);

#endif

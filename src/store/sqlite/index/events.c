/*
 * events.c - the index of events and sites, which SQLite keeps itself.
 */
#include "store/sqlite/index/index.h"
#include "store/sqlite/schema.h"

const db_index index_events = {.name = "events",
                               .about = "games of each event and site, 22",
                               .storage = STORED_BY_SQLITE,
                               .sql = SCHEMA_EVENT_INDEXES};

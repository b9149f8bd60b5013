/*
 * indexes.h - the optional indexes of a file. A new one is a line here and a file of its own with its `db_index`.
 */
#ifndef TBY_STORE_SQLITE_INDEX_INDEXES_H
#define TBY_STORE_SQLITE_INDEX_INDEXES_H

/* In the order in which they narrow a search: the cheaper ones first. */
#define INDEXES(X) X(events) X(eco) X(opening) X(material) X(pawns) X(stood)

#define INDEX_PLACE(name) INDEX_##name,
typedef enum index_place { INDEXES(INDEX_PLACE) N_INDEXES } index_place;
#undef INDEX_PLACE

#endif

/*
 * api.h - the part of DuckDB's stable C API that the extension uses.
 *
 * DuckDB passes an extension a table of functions. Version v1.2.0 of the table is stable: its entries keep their places
 * for good, and later versions append to it. The functions here have the names of DuckDB's documentation without the
 * prefix duckdb_, each with the number of its slot; the other slots are not used.
 */
#ifndef TABIYA_DUCKDB_API_H
#define TABIYA_DUCKDB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUCKDB_API_VERSION "v1.2.0"

typedef enum duckdb_state { DUCKDB_SUCCESS = 0, DUCKDB_ERROR = 1 } duckdb_state;
typedef enum duckdb_type {
    DUCKDB_TYPE_INVALID = 0,
    DUCKDB_TYPE_BOOLEAN = 1,
    DUCKDB_TYPE_BIGINT = 5,
    DUCKDB_TYPE_DOUBLE = 11,
    DUCKDB_TYPE_VARCHAR = 17,
    DUCKDB_TYPE_BLOB = 18,
    DUCKDB_TYPE_LIST = 24,
    DUCKDB_TYPE_ANY = 34,
    DUCKDB_TYPE_SQLNULL = 36
} duckdb_type;

typedef struct duckdb_database *duckdb_database;
typedef struct duckdb_connection *duckdb_connection;
typedef struct duckdb_value *duckdb_value;
typedef struct duckdb_logical_type *duckdb_logical_type;
typedef struct duckdb_data_chunk *duckdb_data_chunk;
typedef struct duckdb_vector *duckdb_vector;
typedef struct duckdb_scalar_function *duckdb_scalar_function;
typedef struct duckdb_scalar_function_set *duckdb_scalar_function_set;
typedef struct duckdb_table_function *duckdb_table_function;
typedef struct duckdb_function_info *duckdb_function_info;
typedef struct duckdb_bind_info *duckdb_bind_info;
typedef struct duckdb_init_info *duckdb_init_info;
typedef struct duckdb_replacement_scan_info *duckdb_replacement_scan_info;
typedef struct duckdb_extension_info *duckdb_extension_info;

/* Text or bytes in a vector: up to twelve bytes are stored inline. */
typedef struct duckdb_string {
    uint32_t n;
    char inside[4]; /* continues in the pointer */
    const char *elsewhere;
} duckdb_string;
enum { DUCKDB_INSIDE_MAX = 12 };

typedef struct duckdb_blob {
    void *data; /* freed with `free` */
    uint64_t size;
} duckdb_blob;
/* The place of one list's rows among the rows of all lists. */
typedef struct duckdb_list_entry {
    uint64_t offset, length;
} duckdb_list_entry;

typedef void (*duckdb_delete_callback)(void *data);
typedef void (*duckdb_scalar_call)(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
typedef void (*duckdb_table_bind)(duckdb_bind_info info);
typedef void (*duckdb_table_init)(duckdb_init_info info);
typedef void (*duckdb_table_call)(duckdb_function_info info, duckdb_data_chunk output);
typedef void (*duckdb_replacement_callback)(duckdb_replacement_scan_info info, const char *name, void *data);

/* clang-format off */
/* A function at its slot; the slots before it belong to others. */
#define SLOT(number, ...) struct { void *before_##number[number]; __VA_ARGS__; }

typedef union duckdb_api {
    SLOT(3, duckdb_state (*connect)(duckdb_database database, duckdb_connection *out));
    SLOT(6, void (*disconnect)(duckdb_connection *connection));
    SLOT(25, void (*free)(void *memory));
    SLOT(26, uint64_t (*vector_size)(void));
    SLOT(92, void (*destroy_value)(duckdb_value *value));
    SLOT(93, duckdb_value (*create_varchar)(const char *text));
    SLOT(125, int64_t (*get_int64)(duckdb_value value));
    SLOT(136, duckdb_logical_type (*get_value_type)(duckdb_value value));
    SLOT(137, duckdb_blob (*get_blob)(duckdb_value value));
    SLOT(142, char *(*get_varchar)(duckdb_value value));
    SLOT(149, bool (*is_null_value)(duckdb_value value));
    SLOT(151, uint64_t (*get_list_size)(duckdb_value value));
    SLOT(152, duckdb_value (*get_list_child)(duckdb_value value, uint64_t index));
    SLOT(156, duckdb_logical_type (*create_logical_type)(duckdb_type type));
    SLOT(159, duckdb_logical_type (*create_list_type)(duckdb_logical_type type));
    SLOT(163, duckdb_logical_type (*create_struct_type)(duckdb_logical_type *types, const char **names, uint64_t n));
    SLOT(166, duckdb_type (*get_type_id)(duckdb_logical_type type));
    SLOT(184, void (*destroy_logical_type)(duckdb_logical_type *type));
    SLOT(189, uint64_t (*data_chunk_get_column_count)(duckdb_data_chunk chunk));
    SLOT(190, duckdb_vector (*data_chunk_get_vector)(duckdb_data_chunk chunk, uint64_t column));
    SLOT(191, uint64_t (*data_chunk_get_size)(duckdb_data_chunk chunk));
    SLOT(192, void (*data_chunk_set_size)(duckdb_data_chunk chunk, uint64_t n));
    SLOT(193, duckdb_logical_type (*vector_get_column_type)(duckdb_vector vector));
    SLOT(194, void *(*vector_get_data)(duckdb_vector vector));
    SLOT(195, uint64_t *(*vector_get_validity)(duckdb_vector vector));
    SLOT(196, void (*vector_ensure_validity_writable)(duckdb_vector vector));
    SLOT(198, void (*vector_assign_string_element_len)(duckdb_vector vector, uint64_t row, const char *s, uint64_t n));
    SLOT(199, duckdb_vector (*list_vector_get_child)(duckdb_vector vector));
    SLOT(200, uint64_t (*list_vector_get_size)(duckdb_vector vector));
    SLOT(201, duckdb_state (*list_vector_set_size)(duckdb_vector vector, uint64_t n));
    SLOT(202, duckdb_state (*list_vector_reserve)(duckdb_vector vector, uint64_t n));
    SLOT(203, duckdb_vector (*struct_vector_get_child)(duckdb_vector vector, uint64_t index));
    SLOT(207, void (*validity_set_row_invalid)(uint64_t *validity, uint64_t row));
    SLOT(209, duckdb_scalar_function (*create_scalar_function)(void));
    SLOT(210, void (*destroy_scalar_function)(duckdb_scalar_function *function));
    SLOT(211, void (*scalar_function_set_name)(duckdb_scalar_function function, const char *name));
    SLOT(213, void (*scalar_function_set_special_handling)(duckdb_scalar_function function));
    SLOT(215, void (*scalar_function_add_parameter)(duckdb_scalar_function function, duckdb_logical_type type));
    SLOT(216, void (*scalar_function_set_return_type)(duckdb_scalar_function function, duckdb_logical_type type));
    SLOT(217, void (*scalar_function_set_extra_info)(duckdb_scalar_function function, void *info,
          duckdb_delete_callback destroy));
    SLOT(218, void (*scalar_function_set_function)(duckdb_scalar_function function, duckdb_scalar_call call));
    SLOT(220, void *(*scalar_function_get_extra_info)(duckdb_function_info info));
    SLOT(221, void (*scalar_function_set_error)(duckdb_function_info info, const char *text));
    SLOT(222, duckdb_scalar_function_set (*create_scalar_function_set)(const char *name));
    SLOT(223, void (*destroy_scalar_function_set)(duckdb_scalar_function_set *set));
    SLOT(224, duckdb_state (*add_scalar_function_to_set)(duckdb_scalar_function_set set,
          duckdb_scalar_function function));
    SLOT(225, duckdb_state (*register_scalar_function_set)(duckdb_connection connection,
          duckdb_scalar_function_set set));
    SLOT(242, duckdb_table_function (*create_table_function)(void));
    SLOT(243, void (*destroy_table_function)(duckdb_table_function *function));
    SLOT(244, void (*table_function_set_name)(duckdb_table_function function, const char *name));
    SLOT(245, void (*table_function_add_parameter)(duckdb_table_function function, duckdb_logical_type type));
    SLOT(246, void (*table_function_add_named_parameter)(duckdb_table_function function, const char *name,
          duckdb_logical_type type));
    SLOT(247, void (*table_function_set_extra_info)(duckdb_table_function function, void *info,
          duckdb_delete_callback destroy));
    SLOT(248, void (*table_function_set_bind)(duckdb_table_function function, duckdb_table_bind bind));
    SLOT(249, void (*table_function_set_init)(duckdb_table_function function, duckdb_table_init init));
    SLOT(251, void (*table_function_set_function)(duckdb_table_function function, duckdb_table_call call));
    SLOT(252, void (*table_function_supports_projection_pushdown)(duckdb_table_function function, bool is_supported));
    SLOT(253, duckdb_state (*register_table_function)(duckdb_connection connection, duckdb_table_function function));
    SLOT(254, void *(*bind_get_extra_info)(duckdb_bind_info info));
    SLOT(255, void (*bind_add_result_column)(duckdb_bind_info info, const char *name, duckdb_logical_type type));
    SLOT(256, uint64_t (*bind_get_parameter_count)(duckdb_bind_info info));
    SLOT(257, duckdb_value (*bind_get_parameter)(duckdb_bind_info info, uint64_t index));
    SLOT(258, duckdb_value (*bind_get_named_parameter)(duckdb_bind_info info, const char *name));
    SLOT(259, void (*bind_set_bind_data)(duckdb_bind_info info, void *data, duckdb_delete_callback destroy));
    SLOT(261, void (*bind_set_error)(duckdb_bind_info info, const char *text));
    SLOT(263, void *(*init_get_bind_data)(duckdb_init_info info));
    SLOT(264, void (*init_set_init_data)(duckdb_init_info info, void *data, duckdb_delete_callback destroy));
    SLOT(265, uint64_t (*init_get_column_count)(duckdb_init_info info));
    SLOT(266, uint64_t (*init_get_column_index)(duckdb_init_info info, uint64_t index));
    SLOT(267, void (*init_set_max_threads)(duckdb_init_info info, uint64_t n));
    SLOT(268, void (*init_set_error)(duckdb_init_info info, const char *text));
    SLOT(271, void *(*function_get_init_data)(duckdb_function_info info));
    SLOT(273, void (*function_set_error)(duckdb_function_info info, const char *text));
    SLOT(274, void (*add_replacement_scan)(duckdb_database database, duckdb_replacement_callback callback,
          void *data, duckdb_delete_callback destroy));
    SLOT(275, void (*replacement_scan_set_function_name)(duckdb_replacement_scan_info info, const char *name));
    SLOT(276, void (*replacement_scan_add_parameter)(duckdb_replacement_scan_info info, duckdb_value value));
} duckdb_api;
#undef SLOT
/* clang-format on */

/* How an extension is loaded: DuckDB passes this to tabiya_init_c_api. */
typedef struct duckdb_extension_access {
    void (*set_error)(duckdb_extension_info info, const char *text);
    duckdb_database *(*get_database)(duckdb_extension_info info);
    const void *(*get_api)(duckdb_extension_info info, const char *version);
} duckdb_extension_access;

/* The functions of the running DuckDB. */
extern duckdb_api duckdb;

#endif

/*
 * api.h - the part of DuckDB's stable C API that the extension uses.
 *
 * DuckDB passes an extension a table of functions. Version v1.2.0 of the table is stable: its entries keep their places
 * for good, and later versions append to it. The functions here have the names of DuckDB's documentation without the
 * prefix duckdb_, at the slots that DUCKDB_SLOT names; the other slots are not used.
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
typedef struct duckdb_api {
    void *gap_0[3];
    duckdb_state (*connect)(duckdb_database database, duckdb_connection *out);
    void *gap_4[2];
    void (*disconnect)(duckdb_connection *connection);
    void *gap_7[18];
    void (*free)(void *memory);
    uint64_t (*vector_size)(void);
    void *gap_27[65];
    void (*destroy_value)(duckdb_value *value);
    duckdb_value (*create_varchar)(const char *text);
    void *gap_94[31];
    int64_t (*get_int64)(duckdb_value value);
    void *gap_126[10];
    duckdb_logical_type (*get_value_type)(duckdb_value value);
    duckdb_blob (*get_blob)(duckdb_value value);
    void *gap_138[4];
    char *(*get_varchar)(duckdb_value value);
    void *gap_143[6];
    bool (*is_null_value)(duckdb_value value);
    void *gap_150[1];
    uint64_t (*get_list_size)(duckdb_value value);
    duckdb_value (*get_list_child)(duckdb_value value, uint64_t index);
    void *gap_153[3];
    duckdb_logical_type (*create_logical_type)(duckdb_type type);
    void *gap_157[2];
    duckdb_logical_type (*create_list_type)(duckdb_logical_type type);
    void *gap_160[3];
    duckdb_logical_type (*create_struct_type)(duckdb_logical_type *types, const char **names, uint64_t n);
    void *gap_164[2];
    duckdb_type (*get_type_id)(duckdb_logical_type type);
    void *gap_167[17];
    void (*destroy_logical_type)(duckdb_logical_type *type);
    void *gap_185[4];
    uint64_t (*data_chunk_get_column_count)(duckdb_data_chunk chunk);
    duckdb_vector (*data_chunk_get_vector)(duckdb_data_chunk chunk, uint64_t column);
    uint64_t (*data_chunk_get_size)(duckdb_data_chunk chunk);
    void (*data_chunk_set_size)(duckdb_data_chunk chunk, uint64_t n);
    duckdb_logical_type (*vector_get_column_type)(duckdb_vector vector);
    void *(*vector_get_data)(duckdb_vector vector);
    uint64_t *(*vector_get_validity)(duckdb_vector vector);
    void (*vector_ensure_validity_writable)(duckdb_vector vector);
    void *gap_197[1];
    void (*vector_assign_string_element_len)(duckdb_vector vector, uint64_t row, const char *s, uint64_t n);
    duckdb_vector (*list_vector_get_child)(duckdb_vector vector);
    uint64_t (*list_vector_get_size)(duckdb_vector vector);
    duckdb_state (*list_vector_set_size)(duckdb_vector vector, uint64_t n);
    duckdb_state (*list_vector_reserve)(duckdb_vector vector, uint64_t n);
    duckdb_vector (*struct_vector_get_child)(duckdb_vector vector, uint64_t index);
    void *gap_204[3];
    void (*validity_set_row_invalid)(uint64_t *validity, uint64_t row);
    void *gap_208[1];
    duckdb_scalar_function (*create_scalar_function)(void);
    void (*destroy_scalar_function)(duckdb_scalar_function *function);
    void (*scalar_function_set_name)(duckdb_scalar_function function, const char *name);
    void *gap_212[1];
    void (*scalar_function_set_special_handling)(duckdb_scalar_function function);
    void *gap_214[1];
    void (*scalar_function_add_parameter)(duckdb_scalar_function function, duckdb_logical_type type);
    void (*scalar_function_set_return_type)(duckdb_scalar_function function, duckdb_logical_type type);
    void (*scalar_function_set_extra_info)(duckdb_scalar_function function, void *info, duckdb_delete_callback destroy);
    void (*scalar_function_set_function)(duckdb_scalar_function function, duckdb_scalar_call call);
    void *gap_219[1];
    void *(*scalar_function_get_extra_info)(duckdb_function_info info);
    void (*scalar_function_set_error)(duckdb_function_info info, const char *text);
    duckdb_scalar_function_set (*create_scalar_function_set)(const char *name);
    void (*destroy_scalar_function_set)(duckdb_scalar_function_set *set);
    duckdb_state (*add_scalar_function_to_set)(duckdb_scalar_function_set set, duckdb_scalar_function function);
    duckdb_state (*register_scalar_function_set)(duckdb_connection connection, duckdb_scalar_function_set set);
    void *gap_226[16];
    duckdb_table_function (*create_table_function)(void);
    void (*destroy_table_function)(duckdb_table_function *function);
    void (*table_function_set_name)(duckdb_table_function function, const char *name);
    void (*table_function_add_parameter)(duckdb_table_function function, duckdb_logical_type type);
    void (*table_function_add_named_parameter)(duckdb_table_function function, const char *name, duckdb_logical_type type);
    void (*table_function_set_extra_info)(duckdb_table_function function, void *info, duckdb_delete_callback destroy);
    void (*table_function_set_bind)(duckdb_table_function function, duckdb_table_bind bind);
    void (*table_function_set_init)(duckdb_table_function function, duckdb_table_init init);
    void *gap_250[1];
    void (*table_function_set_function)(duckdb_table_function function, duckdb_table_call call);
    void (*table_function_supports_projection_pushdown)(duckdb_table_function function, bool is_supported);
    duckdb_state (*register_table_function)(duckdb_connection connection, duckdb_table_function function);
    void *(*bind_get_extra_info)(duckdb_bind_info info);
    void (*bind_add_result_column)(duckdb_bind_info info, const char *name, duckdb_logical_type type);
    uint64_t (*bind_get_parameter_count)(duckdb_bind_info info);
    duckdb_value (*bind_get_parameter)(duckdb_bind_info info, uint64_t index);
    duckdb_value (*bind_get_named_parameter)(duckdb_bind_info info, const char *name);
    void (*bind_set_bind_data)(duckdb_bind_info info, void *data, duckdb_delete_callback destroy);
    void *gap_260[1];
    void (*bind_set_error)(duckdb_bind_info info, const char *text);
    void *gap_262[1];
    void *(*init_get_bind_data)(duckdb_init_info info);
    void (*init_set_init_data)(duckdb_init_info info, void *data, duckdb_delete_callback destroy);
    uint64_t (*init_get_column_count)(duckdb_init_info info);
    uint64_t (*init_get_column_index)(duckdb_init_info info, uint64_t index);
    void (*init_set_max_threads)(duckdb_init_info info, uint64_t n);
    void (*init_set_error)(duckdb_init_info info, const char *text);
    void *gap_269[2];
    void *(*function_get_init_data)(duckdb_function_info info);
    void *gap_272[1];
    void (*function_set_error)(duckdb_function_info info, const char *text);
    void (*add_replacement_scan)(duckdb_database database, duckdb_replacement_callback callback, void *data,
                                 duckdb_delete_callback destroy);
    void (*replacement_scan_set_function_name)(duckdb_replacement_scan_info info, const char *name);
    void (*replacement_scan_add_parameter)(duckdb_replacement_scan_info info, duckdb_value value);
} duckdb_api;

#define DUCKDB_SLOT(function, number)                                                                                  \
    _Static_assert(offsetof(duckdb_api, function) == (number) * sizeof(void *), "the place of " #function)
DUCKDB_SLOT(connect, 3);
DUCKDB_SLOT(disconnect, 6);
DUCKDB_SLOT(free, 25);
DUCKDB_SLOT(vector_size, 26);
DUCKDB_SLOT(destroy_value, 92);
DUCKDB_SLOT(create_varchar, 93);
DUCKDB_SLOT(get_int64, 125);
DUCKDB_SLOT(get_value_type, 136);
DUCKDB_SLOT(get_blob, 137);
DUCKDB_SLOT(get_varchar, 142);
DUCKDB_SLOT(is_null_value, 149);
DUCKDB_SLOT(get_list_size, 151);
DUCKDB_SLOT(get_list_child, 152);
DUCKDB_SLOT(create_logical_type, 156);
DUCKDB_SLOT(create_list_type, 159);
DUCKDB_SLOT(create_struct_type, 163);
DUCKDB_SLOT(get_type_id, 166);
DUCKDB_SLOT(destroy_logical_type, 184);
DUCKDB_SLOT(data_chunk_get_column_count, 189);
DUCKDB_SLOT(data_chunk_get_vector, 190);
DUCKDB_SLOT(data_chunk_get_size, 191);
DUCKDB_SLOT(data_chunk_set_size, 192);
DUCKDB_SLOT(vector_get_column_type, 193);
DUCKDB_SLOT(vector_get_data, 194);
DUCKDB_SLOT(vector_get_validity, 195);
DUCKDB_SLOT(vector_ensure_validity_writable, 196);
DUCKDB_SLOT(vector_assign_string_element_len, 198);
DUCKDB_SLOT(list_vector_get_child, 199);
DUCKDB_SLOT(list_vector_get_size, 200);
DUCKDB_SLOT(list_vector_set_size, 201);
DUCKDB_SLOT(list_vector_reserve, 202);
DUCKDB_SLOT(struct_vector_get_child, 203);
DUCKDB_SLOT(validity_set_row_invalid, 207);
DUCKDB_SLOT(create_scalar_function, 209);
DUCKDB_SLOT(destroy_scalar_function, 210);
DUCKDB_SLOT(scalar_function_set_name, 211);
DUCKDB_SLOT(scalar_function_set_special_handling, 213);
DUCKDB_SLOT(scalar_function_add_parameter, 215);
DUCKDB_SLOT(scalar_function_set_return_type, 216);
DUCKDB_SLOT(scalar_function_set_extra_info, 217);
DUCKDB_SLOT(scalar_function_set_function, 218);
DUCKDB_SLOT(scalar_function_get_extra_info, 220);
DUCKDB_SLOT(scalar_function_set_error, 221);
DUCKDB_SLOT(create_scalar_function_set, 222);
DUCKDB_SLOT(destroy_scalar_function_set, 223);
DUCKDB_SLOT(add_scalar_function_to_set, 224);
DUCKDB_SLOT(register_scalar_function_set, 225);
DUCKDB_SLOT(create_table_function, 242);
DUCKDB_SLOT(destroy_table_function, 243);
DUCKDB_SLOT(table_function_set_name, 244);
DUCKDB_SLOT(table_function_add_parameter, 245);
DUCKDB_SLOT(table_function_add_named_parameter, 246);
DUCKDB_SLOT(table_function_set_extra_info, 247);
DUCKDB_SLOT(table_function_set_bind, 248);
DUCKDB_SLOT(table_function_set_init, 249);
DUCKDB_SLOT(table_function_set_function, 251);
DUCKDB_SLOT(table_function_supports_projection_pushdown, 252);
DUCKDB_SLOT(register_table_function, 253);
DUCKDB_SLOT(bind_get_extra_info, 254);
DUCKDB_SLOT(bind_add_result_column, 255);
DUCKDB_SLOT(bind_get_parameter_count, 256);
DUCKDB_SLOT(bind_get_parameter, 257);
DUCKDB_SLOT(bind_get_named_parameter, 258);
DUCKDB_SLOT(bind_set_bind_data, 259);
DUCKDB_SLOT(bind_set_error, 261);
DUCKDB_SLOT(init_get_bind_data, 263);
DUCKDB_SLOT(init_set_init_data, 264);
DUCKDB_SLOT(init_get_column_count, 265);
DUCKDB_SLOT(init_get_column_index, 266);
DUCKDB_SLOT(init_set_max_threads, 267);
DUCKDB_SLOT(init_set_error, 268);
DUCKDB_SLOT(function_get_init_data, 271);
DUCKDB_SLOT(function_set_error, 273);
DUCKDB_SLOT(add_replacement_scan, 274);
DUCKDB_SLOT(replacement_scan_set_function_name, 275);
DUCKDB_SLOT(replacement_scan_add_parameter, 276);
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

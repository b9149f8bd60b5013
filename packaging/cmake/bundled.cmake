# SQLite, zlib and libzstd from their sources in TABIYA_THIRD_PARTY, as static libraries that are part of each product:
# for systems without packages. tools/fetch-sources.sh fetches them.

# bundle(NAME FOLDER SOURCE...) - a library of others, whose warnings are theirs.
function(bundle name folder)
    add_library(${name} STATIC ${ARGN})
    target_include_directories(${name} SYSTEM PUBLIC $<BUILD_INTERFACE:${TABIYA_THIRD_PARTY}/${folder}>)
    target_compile_options(${name} PRIVATE -w -O2)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden C_EXTENSIONS ON)
endfunction()

bundle(bundled_sqlite sqlite ${TABIYA_THIRD_PARTY}/sqlite/sqlite3.c)
# What Debian's library has too, as far as the program uses it.
target_compile_definitions(bundled_sqlite PRIVATE SQLITE_ENABLE_FTS5 SQLITE_ENABLE_DBSTAT_VTAB SQLITE_ENABLE_COLUMN_METADATA
    SQLITE_ENABLE_RTREE SQLITE_ENABLE_MATH_FUNCTIONS SQLITE_ENABLE_STAT4 SQLITE_THREADSAFE=1)
add_library(SQLite::SQLite3 ALIAS bundled_sqlite)
set(SQLite3_FOUND ON)
set(SQLite3_INCLUDE_DIR ${TABIYA_THIRD_PARTY}/sqlite)

file(GLOB zlib_sources ${TABIYA_THIRD_PARTY}/zlib/*.c)
bundle(bundled_zlib zlib ${zlib_sources})
if(UNIX)
    target_compile_definitions(bundled_zlib PRIVATE HAVE_UNISTD_H)
endif()
add_library(ZLIB::ZLIB ALIAS bundled_zlib)
set(ZLIB_FOUND ON)

file(GLOB zstd_sources ${TABIYA_THIRD_PARTY}/zstd/lib/common/*.c ${TABIYA_THIRD_PARTY}/zstd/lib/compress/*.c
     ${TABIYA_THIRD_PARTY}/zstd/lib/decompress/*.c)
bundle(bundled_zstd zstd/lib ${zstd_sources})
target_compile_definitions(bundled_zstd PRIVATE ZSTD_DISABLE_ASM)
add_library(PkgConfig::ZSTD ALIAS bundled_zstd)

# Other libraries, each where it is there. Static ones are preferred, so that the program runs wherever it is copied.
#
#     SQLite::SQLite3, ZLIB::ZLIB, PkgConfig::ZSTD      targets, if they were found
#     PostgreSQL_INCLUDE_DIR                            libpq's headers, if they were found

set(shared_first ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(CMAKE_FIND_LIBRARY_SUFFIXES .a ${shared_first})
find_package(SQLite3 QUIET)
find_package(ZLIB QUIET)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES ${shared_first})
find_package(PostgreSQL QUIET)

# What a static SQLite needs.
find_package(Threads REQUIRED)
if(TARGET SQLite::SQLite3)
    set_property(TARGET SQLite::SQLite3 APPEND PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads m ${CMAKE_DL_LIBS})
endif()

if(NOT TARGET ZLIB::ZLIB)
    message(NOTICE "zlib was not found: gzip files cannot be read (tools/setup.sh installs it)")
endif()
if(NOT TARGET PkgConfig::ZSTD)
    message(NOTICE "libzstd was not found: zstd files cannot be read, and Parquet is not compressed "
                   "(tools/setup.sh installs it)")
endif()

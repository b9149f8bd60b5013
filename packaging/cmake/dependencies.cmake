# Other libraries, if they are installed. Static ones are preferred, so that the program runs wherever it is copied;
# packages for a distribution turn that off (packaging/debian/rules).
#
#     SQLite::SQLite3, ZLIB::ZLIB, PkgConfig::ZSTD      targets, if they were found
#     PostgreSQL_INCLUDE_DIR                            libpq's headers, if they were found

option(TABIYA_STATIC_DEPENDENCIES "Link SQLite, zlib and libzstd statically, where that is possible" ON)

if(TABIYA_THIRD_PARTY)
    include(packaging/cmake/bundled.cmake)
    # libpq is loaded when a server is asked for; its headers are the same for all systems.
    find_path(PostgreSQL_INCLUDE_DIR libpq-fe.h PATHS /usr/include/postgresql NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    find_package(Threads REQUIRED)
    return()
endif()

set(shared_first ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(TABIYA_STATIC_DEPENDENCIES)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a ${shared_first})
endif()
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

# What `make install` installs, and where. The pkg-config and CMake files locate the rest relative to themselves, so an
# installed tree may be moved.
include(CMakePackageConfigHelpers)

install(FILES include/tabiya.h include/tabiya_value.h include/tabiya_query.h TYPE INCLUDE)
install(TARGETS tabiya tabiya_static EXPORT tabiya)
install(FILES include/tabiya_publish.h include/tabiya_table.h include/tabiya_tree.h TYPE INCLUDE)
install(TARGETS tabiya_publish tabiya_table tabiya_tree EXPORT tabiya)
if(TARGET tabiya_db)
    install(FILES include/tabiya_db.h TYPE INCLUDE)
    install(TARGETS tabiya_db EXPORT tabiya)
endif()

# Keep internal names from clashing with those of programs that link the archives.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    install(CODE "
        set(libraries \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
        if(IS_ABSOLUTE \"${CMAKE_INSTALL_LIBDIR}\")
            set(libraries \"\$ENV{DESTDIR}${CMAKE_INSTALL_LIBDIR}\")
        endif()
        execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/packaging/cmake/prefix-internals.sh\" \"\${libraries}\"
                        COMMAND_ERROR_IS_FATAL ANY)")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tabiya)
install(EXPORT tabiya NAMESPACE tabiya:: DESTINATION ${package_dir} FILE tabiya-targets.cmake)
configure_package_config_file(packaging/cmake/tabiya-config.cmake.in tabiya-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tabiya-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tabiya-config.cmake ${PROJECT_BINARY_DIR}/tabiya-config-version.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(packaging/cmake/tabiya.pc.in tabiya.pc @ONLY)
configure_file(packaging/cmake/tabiya_table.pc.in tabiya_table.pc @ONLY)
configure_file(packaging/cmake/tabiya_tree.pc.in tabiya_tree.pc @ONLY)
configure_file(packaging/cmake/tabiya_publish.pc.in tabiya_publish.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tabiya_table.pc ${PROJECT_BINARY_DIR}/tabiya_tree.pc
    ${PROJECT_BINARY_DIR}/tabiya_publish.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET tabiya_db)
    # Compressed files of games are read where these libraries are there.
    set(io_libraries "")
    if(TARGET ZLIB::ZLIB)
        string(APPEND io_libraries " -lz")
    endif()
    if(TARGET PkgConfig::ZSTD)
        string(APPEND io_libraries " -lzstd")
    endif()
    configure_file(packaging/cmake/tabiya_db.pc.in tabiya_db.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/tabiya_db.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES ${PROJECT_BINARY_DIR}/tabiya.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

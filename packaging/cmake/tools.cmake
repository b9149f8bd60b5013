# tabiya_tool(NAME LIBRARY...) - a program of tools/ that makes a part of the source. It runs while the rest is built, so for
# another system it comes from a build for this machine.
function(tabiya_tool name)
    if(TABIYA_HOST_BUILD)
        find_program(TABIYA_TOOL_${name} ${name} PATHS ${TABIYA_HOST_BUILD}/src ${TABIYA_HOST_BUILD}/server
                     NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
        add_executable(${name} IMPORTED GLOBAL)
        set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${TABIYA_TOOL_${name}})
        return()
    endif()
    add_executable(${name} ${PROJECT_SOURCE_DIR}/tools/${name}.c)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L)
    target_link_libraries(${name} PRIVATE ${ARGN})
endfunction()

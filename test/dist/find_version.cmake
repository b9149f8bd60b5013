# find_version.cmake - find_package(tabiya VERSION) takes every version of the same major version up to this one.
#
#     cmake -DBUILD=build/release -P test/dist/find_version.cmake
file(READ "${BUILD}/tabiya-config-version.cmake" text)
string(REGEX MATCH "PACKAGE_VERSION \"([0-9]+)\\.([0-9]+)\\.([0-9]+)\"" version "${text}")
set(major ${CMAKE_MATCH_1})
set(minor ${CMAKE_MATCH_2})
math(EXPR next_minor "${minor} + 1")
math(EXPR next_major "${major} + 1")

function(expect asked expected)
    set(PACKAGE_FIND_NAME tabiya)
    set(PACKAGE_FIND_VERSION ${asked})
    string(REPLACE "." ";" parts ${asked})
    list(GET parts 0 PACKAGE_FIND_VERSION_MAJOR)
    list(GET parts 1 PACKAGE_FIND_VERSION_MINOR)
    include("${BUILD}/tabiya-config-version.cmake")
    if(NOT "${PACKAGE_VERSION_COMPATIBLE}" STREQUAL "${expected}")
        message(SEND_ERROR "find_package(tabiya ${asked}) with ${PACKAGE_VERSION}: ${PACKAGE_VERSION_COMPATIBLE}")
    endif()
endfunction()

expect(${major}.0 TRUE)
expect(${major}.${minor} TRUE)
expect(${major}.${next_minor} FALSE)
expect(${next_major}.0 FALSE)

# Compiler flags of every target: warnings, and the flags of the instrumented presets.

add_compile_options(-Wall -Wextra -Wconversion -Wshadow)
option(TABIYA_HARDEN "Compile with the usual defences against memory errors" ON)
if(TABIYA_WERROR)
    add_compile_options(-Werror)
endif()

# Hardening of programs and libraries that read untrusted data: stack and buffer checks, no jump over the guard page of a
# stack, jumps only to where they may lead, random addresses, and read-only relocations. Sanitizers check more, and do not
# work with all of this.
if(TABIYA_HARDEN AND NOT TABIYA_SANITIZE AND NOT TABIYA_FUZZ AND NOT TABIYA_COVERAGE)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    add_compile_options(-fstack-protector-strong
        $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
    include(CheckCCompilerFlag)
    set(checked_flags fstack-clash-protection fcf-protection) # the second for x86 alone
    if(WIN32)
        set(checked_flags) # every large stack frame is probed there anyway, and gcc's own way breaks its unwind tables
    endif()
    foreach(flag IN LISTS checked_flags)
        string(MAKE_C_IDENTIFIER TABIYA_HAS_${flag} has_flag)
        set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns of a flag that it does not use
        check_c_compiler_flag(-${flag} ${has_flag})
        unset(CMAKE_REQUIRED_FLAGS)
        if(${has_flag})
            add_compile_options(-${flag})
        endif()
    endforeach()
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
    endif()
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C)
endif()

if(WIN32)
    # Windows 10; C's own printf instead of the old runtime's.
    add_compile_definitions(_WIN32_WINNT=0x0A00 __USE_MINGW_ANSI_STDIO=1)
    # The compiler takes the formats of C's printf for unknown ones of the old runtime; builds for other systems check them.
    add_compile_options(-Wno-format -Wno-format-extra-args)
    # One file, with the stack protector's functions inside.
    add_link_options(-static -fstack-protector-strong)
    string(APPEND CMAKE_C_STANDARD_LIBRARIES " -lws2_32 -lbcrypt")
    # Stacks are aligned to 16 bytes there, and gcc does not see to more for vectors of 32.
    add_compile_options(-Wa,-muse-unaligned-vector-move)
endif()
if(APPLE)
    add_compile_definitions(_DARWIN_C_SOURCE) # what _POSIX_C_SOURCE alone would hide
endif()

# Support files of more than 2 GiB where a long has 32 bits.
add_compile_definitions(_FILE_OFFSET_BITS=64)

if(TABIYA_SANITIZE)
    add_compile_options(-fsanitize=${TABIYA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TABIYA_SANITIZE})
    # This linker takes two thirds of the time of the default one.
    find_program(TABIYA_LLD ld.lld)
    mark_as_advanced(TABIYA_LLD)
    if(TABIYA_LLD AND CMAKE_C_COMPILER_ID MATCHES "Clang")
        add_link_options(-fuse-ld=lld)
    endif()
    # Tests start programs thousands of times. With PIE, the loader would relocate the 170,000 addresses in the tables of
    # these sanitizers each time.
    if(TABIYA_SANITIZE MATCHES "address")
        add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    endif()
endif()
if(TABIYA_FUZZ)
    # A build that also has the other tests only counts edges: tracing every comparison is slow, and only `make fuzz`
    # uses it.
    if(TABIYA_TESTS)
        add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
    elseif(NOT TABIYA_FUZZ_ENGINE)
        add_compile_options(-fsanitize=fuzzer-no-link)
    endif()
    add_compile_definitions(TBY_PGN_WINDOW_SIZE=20000)
endif()
if(TABIYA_COVERAGE)
    # Threads share the counters.
    add_compile_options(--coverage -fprofile-update=atomic)
    add_compile_definitions(TBY_COVERAGE)
    add_link_options(--coverage)
endif()

# gcc stores its profiles next to the objects; clang uses one merged file.
set(profile ${PROJECT_BINARY_DIR}/train.profdata)
if(TABIYA_PGO AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    if(TABIYA_PGO STREQUAL "generate")
        set(pgo_flags -fprofile-instr-generate)
    else()
        set(pgo_flags -fprofile-instr-use=${profile} -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date)
    endif()
elseif(TABIYA_PGO)
    if(TABIYA_PGO STREQUAL "generate")
        set(pgo_flags -fprofile-generate -fprofile-update=single)
    else()
        # Code that the training did not reach is still compiled for speed.
        set(pgo_flags -fprofile-use -fprofile-partial-training -Wno-missing-profile)
    endif()
endif()
if(TABIYA_PGO)
    add_compile_options(${pgo_flags})
    add_link_options(${pgo_flags})
endif()

# True if the compiler adds its own symbols and data, so that tests of the bare objects make no sense.
if(TABIYA_SANITIZE OR TABIYA_COVERAGE OR TABIYA_FUZZ OR TABIYA_PGO STREQUAL "generate")
    set(TABIYA_INSTRUMENTED ON)
else()
    set(TABIYA_INSTRUMENTED OFF)
endif()

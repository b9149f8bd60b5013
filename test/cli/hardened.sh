#!/bin/bash
# hardened.sh - the program has the defences that packaging/cmake/flags.cmake asks for: test/cli/hardened.sh PROGRAM COMMANDS
#
# COMMANDS is compile_commands.json. Only for x86-64, where all of them exist; skipped (77) elsewhere.
set -u
command -v objdump >/dev/null || { echo "binutils is not installed"; exit 77; }
readelf -h "$1" 2>/dev/null | grep -q 'X86-64' || { echo "not x86-64"; exit 77; }
failed=0
# expect WHAT COMMAND...
expect() {
    local what=$1
    shift
    "$@" >/dev/null || { echo "missing: $what"; failed=1; }
}
header=$(readelf -hlWd "$1")
expect 'random addresses (PIE)' grep -q 'Type: *DYN' <<<"$header"
expect 'read-only relocations' grep -q GNU_RELRO <<<"$header"
expect 'relocations at the start' grep -q 'BIND_NOW\|FLAGS.*NOW' <<<"$header"
expect 'a stack without code' grep -q 'GNU_STACK.* RW ' <<<"$header"
expect 'stack protection' grep -q '__stack_chk_fail' <(readelf -sW --dyn-syms "$1")
expect 'marked targets of jumps (-fcf-protection)' grep -q endbr64 <(objdump -d --no-show-raw-insn --disassemble=main "$1")
expect '-fstack-clash-protection' grep -q -- -fstack-clash-protection "$2"
exit $failed

#!/bin/bash
# seam.sh - the unit tests of src/os/ for Windows, compiled with MinGW and run under Wine, where both are installed. The whole
# program is tested there by `make platforms PLATFORMS=windows`.
set -u
cd "$(dirname "$0")/../.." || exit 2
wine=$(command -v wine64 || command -v wine || { [ ! -x /usr/lib/wine/wine64 ] || echo /usr/lib/wine/wine64; })
command -v x86_64-w64-mingw32-gcc >/dev/null && [ -n "$wine" ] || exit 77
work=$(mktemp -d)
trap 'WINEPREFIX=$work/wine wineserver -k 2>/dev/null; rm -rf "$work"' EXIT
# Wine writes names in the encoding of the locale.
export WINEPREFIX=$work/wine WINEDEBUG=-all DISPLAY= LC_ALL=C.UTF-8
# No windows, and nothing for browsers or .NET in the new prefix.
export WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
failed=0
for name in file threads; do
    x86_64-w64-mingw32-gcc -std=c11 -O0 -Wall -Wextra -Werror -Wno-format -Wno-format-extra-args -D_WIN32_WINNT=0x0A00 \
        -D__USE_MINGW_ANSI_STDIO=1 -DTBY_TEST_DIR='"test"' -Iinclude -Isrc -Itest -Itest/unit -Itest/small -static \
        "test/unit/os/test_$name.c" src/os/*_windows.c src/os/shared.c -lws2_32 -lbcrypt -lole32 -luuid -o "$work/$name.exe" &&
        "$wine" "$work/$name.exe" || failed=1
done
exit "$failed"

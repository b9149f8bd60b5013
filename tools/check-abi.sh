#!/bin/sh
# check-abi.sh - the structures of tabiya.h, tabiya_value.h and tabiya_query.h have the sizes and offsets that
# tools/abi.txt lists:
#
#     tools/check-abi.sh CC
#     tools/check-abi.sh --update CC    writes that list
#
# They are compiled into existing programs: after a release, a change requires the next major version. check-symbols.sh
# does the same for functions. The list is that of x86-64; elsewhere this is skipped (77).
set -eu
cd "$(dirname "$0")/.."
update=
[ "$1" != --update ] || { update=yes; shift; }
[ "$(uname -m)" = x86_64 ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "NAME MEMBER..." for each structure: what comes before ; , [ or ) of its declarations.
/usr/bin/python3 - include/tabiya.h include/tabiya_value.h include/tabiya_query.h >"$work/sizes.c" <<'END'
import re, sys
print('#include <stddef.h>\n#include <stdio.h>\n#include "tabiya_query.h"\nint main(void)\n{')
for path in sys.argv[1:]:
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    for name, body in re.findall(r"typedef struct (tby_\w+) \{(.*?)\n\} \1;", text, flags=re.S):
        flat = re.sub(r"\{[^{}]*\}", "", body)  # of structures inside, the name alone
        members = []
        for declaration in flat.split(";"):
            call = re.search(r"\(\*(\w+)\)\(", declaration)
            names = [call[1]] if call else [re.sub(r"\[.*|\s*:.*", "", part).split()[-1].strip("* ")
                                            for part in declaration.split(",") if part.strip()]
            members += [n for n in names if n and not re.search(r":\s*\d", declaration)]
        places = "".join(f' {m} %zu' for m in members)
        values = "".join(f", offsetof({name}, {m})" for m in members)
        print(f'    printf("{name} %zu:{places}\\n", sizeof({name}){values});')
print("    return 0;\n}")
END
"$1" -std=c11 -Iinclude "$work/sizes.c" -o "$work/sizes"
"$work/sizes" | LC_ALL=C sort >"$work/now"
if [ -n "$update" ]; then
    cp "$work/now" tools/abi.txt
elif ! diff tools/abi.txt "$work/now"; then
    echo "the binary interface has changed; tools/check-abi.sh --update $1 records the change"
    exit 1
fi

"""amalgamate.py GENERATED FOLDER - the library as two files, and the database as two more.

    tabiya.h, tabiya.c          rules, notations, games, queries: all that libtabiya has; needs no other file
    tabiya_db.h, tabiya_db.c    databases of games; needs tabiya.c and SQLite, with -DTABIYA_LIBPQ libpq's header, and with
                                -DTABIYA_ZLIB and -DTABIYA_ZSTD those libraries, for compressed files

GENERATED has tables.c and openings.c, which the build generates; the folder src/ next to it has the archives. Headers are
inserted where they are first included. Names that several files define get the file's name as a prefix, and internal names with
external linkage become tby__name by macros; nothing else in the text changes.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = "base position rules notation pgn".split()  # with TABIYA_RULES_ONLY, nothing else is compiled
LAYERS = RULES + "support codec value opening readers row query".split()
ROWS_OF_STORE = [ROOT / "src/row/batch.c", ROOT / "src/row/row.c"]  # part of the database's API
OS = ["clock", "file", "folder", "library", "temporary", "threads", "wait"]  # of src/os, all that databases need
STORE = ["io", "store", "store/sqlite", "store/sqlite/index", "search", "store/postgres"]
TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\s+)|(?P<name>[A-Za-z_]\w*)"""
    r"""|(?P<other>->|\.\.\.|0[xX][\da-fA-F]+\w*|\d[\w.]*|.)""",
    re.DOTALL | re.VERBOSE,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)[^\n]*\n', re.MULTILINE)
# An include, or what the lines after it depend on.
DIRECTIVE = re.compile(
    r'^[ \t]*#[ \t]*(?:include[ \t]*(?:"(?P<own>[^"]+)"|<(?P<system>[^>]+)>)|(?P<word>if|el|endif)[^\n]*)[^\n]*\n', re.MULTILINE
)
GUARD = re.compile(r"#ifndef TBY_\w+_H")
KEYWORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool _Noreturn "
    "_Static_assert _Bool _Thread_local _Atomic NULL true false include define undef ifdef ifndef endif elif defined "
    "pragma error __attribute__ size_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t".split()
)


def tokens(text):
    """(text, is_name, is_skipped) of all that a file is made of."""
    for match in TOKEN.finditer(text):
        yield match.group(), match.lastgroup == "name", match.lastgroup == "skip"


def definitions(text):
    """The names that a file defines for itself: functions, variables, types, tags, enumerators, macros."""
    found = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE))
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", text, flags=re.MULTILINE | re.DOTALL)
    words = [token for token, _, skipped in tokens(code) if not skipped]
    depth, parens, enums, in_typedef = 0, 0, [], False
    for i, word in enumerate(words):
        before, after = words[i - 1] if i else ";", words[i + 1] if i + 1 < len(words) else ";"
        if word == "{":
            depth += 1
            if before == "enum" or (i > 1 and words[i - 2] == "enum"):
                enums.append(depth)
        elif word == "}":
            if enums and enums[-1] == depth:
                enums.pop()
            depth -= 1
        elif word in "()":
            parens += 1 if word == "(" else -1
        elif word == "typedef" and depth == 0:
            in_typedef = True
        elif word == ";" and depth == 0:
            in_typedef = False
        if not re.match(r"[A-Za-z_]", word) or word in KEYWORDS:
            continue
        is_enumerator = enums and depth == enums[-1] and before in "{,"
        is_tag = depth == 0 and before in ("struct", "union", "enum")
        is_named = depth == parens == 0 and after in ("(", "[", "=", ";", ",", "{") and before not in (",", ".")
        is_pointer_type = in_typedef and depth == 0 and before == "*" and after == ")"
        if is_enumerator or is_tag or is_named or is_pointer_type:
            found.add(word)
    return {name for name in found if not name.lower().startswith("tby_")}


def rename(text, names, prefix):
    """The text with these names changed, but for members of structures."""
    out, opened, last, last_two = [], [], ";", ";"
    parts = list(tokens(text))
    solid = [i for i, (_, _, skipped) in enumerate(parts) if not skipped]
    following = {i: parts[j][0] for i, j in zip(solid, solid[1:])}
    for i, (token, is_name, skipped) in enumerate(parts):
        if skipped:
            out.append(token)
            continue
        after = following.get(i, ";")
        if token == "{":
            opened.append(last in ("struct", "union") or last_two in ("struct", "union"))
        elif token == "}" and opened:
            opened.pop()
        in_struct = bool(opened) and opened[-1]
        is_member = last in (".", "->") or (
            in_struct and (after in (";", ",", "[", ":") or (last == "*" and after == ")")) and last not in ("struct", "enum")
        )
        out.append(prefix + token if is_name and token in names and not is_member else token)
        last_two, last = last, token
    return "".join(out)


def headers_of(path, found=None):
    """The headers that a file includes, and those that they include."""
    found = set() if found is None else found
    for match in INCLUDE.finditer(path.read_text("utf-8")):
        own = match.group(1)
        if own and not own.startswith("tabiya"):
            header = ROOT / "src" / own if (ROOT / "src" / own).exists() else path.parent / own
            if header not in found:
                found.add(header)
                headers_of(header, found)
    return found


def to_rename(path, text, names, external):
    """Of a .c file's own names those that others have too; what its headers announce is theirs."""
    announced = set()
    for header in headers_of(path):
        announced |= definitions(header.read_text("utf-8"))
    own = (definitions(text) & names) - announced
    return {name for name in own if name not in external or re.search(rf"^static\b[^;{{}}]*\b{name}\b", text, re.MULTILINE)}


class Amalgamation:
    """One .c file in the making: a header that was written for the same conditions of the preprocessor is left out."""

    def __init__(self, external):
        self.parts, self.written, self.external = [], {}, external

    def add(self, path, names, conditions):
        text = path.read_text("utf-8")
        own = to_rename(path, text, names, self.external) if path.suffix == ".c" else set()
        prefix = re.sub(r"\W", "_", path.relative_to(ROOT / "src").with_suffix("").as_posix()) + "_" if own else ""
        body = rename(text, own, prefix) if own else text
        at, inner = 0, []
        for match in DIRECTIVE.finditer(body):
            self.parts.append(body[at : match.start()])
            at = match.end()
            if match.group("own") or match.group("system"):
                self.include(match.group("own"), match.group("system"), path, names, conditions + tuple(inner))
                continue
            self.parts.append(match.group())
            if match.group("word") != "if":
                inner.pop()
            if match.group("word") != "endif":
                inner.append(match.group().strip() + (f" of {path.name}:{match.start()}" if match.group("word") == "el" else ""))
        self.parts.append(body[at:])

    def include(self, own, system, path, names, conditions):
        if system:
            self.parts.append(f"#include <{system}>\n")
        elif not own.startswith("tabiya"):
            header = ROOT / "src" / own if (ROOT / "src" / own).exists() else path.parent / own
            needed = tuple(line for line in conditions if not GUARD.fullmatch(line))
            if not any(set(earlier) <= set(needed) for earlier in self.written.get(header, ())):
                self.written.setdefault(header, []).append(needed)
                self.parts.append(f"\n/* ==== {header.relative_to(ROOT / 'src')} ==== */\n\n")
                self.add(header, names, needed)


def public_header(names, includes):
    """Public headers as one, without their includes of each other; those after the first are more than rules."""
    text = "".join(f'#include "{name}"\n' for name in includes)
    for name in names:
        own = re.sub(r'^#include "tabiya[^"]*"\n', "", (ROOT / "include" / name).read_text("utf-8"), flags=re.MULTILINE)
        text += own if name == names[0] else f"#ifndef TABIYA_RULES_ONLY\n{own}#endif\n"
    return text


def sources(folders):
    return [path for folder in folders for path in sorted((ROOT / "src" / folder).glob("*.c"))]


def external_names(folder):
    """The internal functions and variables that the linker sees in the archives of the build."""
    archives = sorted(folder.glob("libtabiya*.a"))
    listed = subprocess.run(["nm", "-g", "--defined-only", *archives], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in listed.splitlines() if len(line.split()) == 3}
    return sorted(name for name in names if re.fullmatch(r"[a-z]\w*", name) and not name.startswith("tby_"))


def collisions(paths):
    """Names that more than one file defines, or a .c file and a header."""
    seen, twice = set(), set()
    headers = sorted((ROOT / "src").rglob("*.h"))
    for path in headers:
        seen |= definitions(path.read_text("utf-8"))
    for path in paths:
        own = definitions(path.read_text("utf-8"))
        twice |= own & seen
        seen |= own
    return twice


def condition_of(path):
    """The line that decides whether a file is compiled; None if it always is."""
    layer = path.relative_to(ROOT / "src").parts[0]
    if path.stem.endswith(("_posix", "_windows")):
        return "#ifdef _WIN32" if path.stem.endswith("_windows") else "#ifndef _WIN32"
    if path.parent.name == "postgres" and path.name != "connection.c":
        return "#ifdef TABIYA_LIBPQ"  # without libpq, connection.c reports an error
    if layer in LAYERS and layer not in RULES and path not in ROWS_OF_STORE:
        return "#ifndef TABIYA_RULES_ONLY"
    return None


def write(folder, name, head, paths, generated, includes, external):
    names = collisions(paths)
    whole = Amalgamation(external)
    whole.parts.append(head)
    whole.parts += [f"#define {name} tby__{name}\n" for name in external]
    whole.parts += [f'#include "{include}"\n' for include in includes]
    # Headers are inserted where they are first needed, so what is always compiled comes first.
    for path in sorted(paths, key=lambda path: condition_of(path) is not None):
        condition = condition_of(path)
        whole.parts.append(f"\n/* ==== {path.relative_to(ROOT / 'src')} ==== */\n\n")
        whole.parts.append(f"{condition}\n" if condition else "")
        whole.add(path, names, (condition,) if condition else ())
        whole.parts.append("#endif\n" if condition else "")
    for path in generated:
        text = INCLUDE.sub(lambda match: match.group() if match.group(2) else "", path.read_text("utf-8"))
        if path.name == "openings.c":
            text = f"#ifndef TABIYA_RULES_ONLY\n{text}#endif\n"
        whole.parts.append(f"\n/* ==== {path.name} ==== */\n\n{text}")
    (folder / name).write_text("".join(whole.parts), "utf-8")


def main():
    generated, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    quiet = (
        "#ifdef __cplusplus\n#error \"this file is C, not C++: compile it with a C compiler, and include its header in C++\"\n"
        "#endif\n"
        "/* Headers are part of this file, and so are helpers that nothing here calls. The names of the openings are one text,\n"
        "   longer than the standard asks compilers to support. */\n"
        '#ifdef __GNUC__\n#pragma GCC diagnostic ignored "-Wunused-function"\n'
        '#pragma GCC diagnostic ignored "-Wunused-const-variable"\n'
        '#pragma GCC diagnostic ignored "-Woverlength-strings"\n#endif\n'
    )
    quiet += (ROOT / "tools" / "tinyc.h").read_text("utf-8")
    external = external_names(generated.parent / "src")
    posix = "#ifndef _XOPEN_SOURCE\n#define _XOPEN_SOURCE 700\n#endif\n#define _DARWIN_C_SOURCE\n"
    (folder / "tabiya.h").write_text(public_header(["tabiya.h", "tabiya_value.h", "tabiya_query.h"], []), "utf-8")
    (folder / "tabiya_db.h").write_text(public_header(["tabiya_db.h"], ["tabiya.h"]), "utf-8")
    head = "/* tabiya.c - the library tabiya in one file, made by tools/amalgamate.py: cc -std=c11 -O2 -c tabiya.c */\n" + quiet
    write(folder, "tabiya.c", head, [path for path in sources(LAYERS) if path not in ROWS_OF_STORE], [generated / "tables.c", generated / "openings.c"], ["tabiya.h"], external)
    head = "/* tabiya_db.c - databases of games, made by tools/amalgamate.py: needs tabiya.c and SQLite */\n" + quiet + posix
    system = [ROOT / "src/os" / f"{name}_{kind}.c" for name in OS for kind in ("posix", "windows")]
    write(folder, "tabiya_db.c", head, ROWS_OF_STORE + sources(STORE) + system, [], ["tabiya_db.h"], external)


main()

#!/bin/bash
# transcript.sh - runs the commands of a transcript and compares their output: test/transcript.sh FILE
#
# A transcript consists of lines `$ command`, each followed by its output, stdout and stderr together; `[2]` as the last
# line is the exit code if it is not 0. A command that ends with a backslash continues on the next line. A line `...` matches any number of lines, `...` in a line any text in it: of an
# error, what failed and on which input is pinned, the advice after that only where the command is about it. Empty lines
# before the next command are ignored, and `# ` starts a comment; after `# not under Wine: WHY` the next command is left
# out there (TABIYA_WINE). In a Markdown file only the blocks ```console are transcripts, and a block ```c NAME or ```sql
# NAME is written to the file NAME; the sample games are in `examples`, as in the source. Commands are run by bash, in
# order, in one new folder. The last line is "N passed, N failed".
set -u

file=$(realpath "$1")
samples=$(realpath "$(dirname "$0")/../examples")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0

# line_matches LINE PATTERN - quotes what bash would read as a pattern; then the dots become one. Starts no process, because
# there are thousands of commands.
line_matches() {
    local pattern=$2 character
    [[ $1 != "$pattern" ]] || return 0
    [[ $pattern == *...* ]] || return 1
    for character in '\' '[' ']' '*' '?'; do pattern=${pattern//"$character"/"\\$character"}; done
    pattern=${pattern//.../"*"}
    # shellcheck disable=SC2053
    [[ $1 == $pattern ]]
}

# matches ACTUAL EXPECTED
matches() {
    local actual expected a=0 e=0 later_a=-1 later_e
    [[ $1 != "$2" ]] || return 0
    mapfile -t actual <<<"$1"
    mapfile -t expected <<<"$2"
    while [ $a -lt ${#actual[@]} ]; do
        if [ "${expected[e]-}" = ... ]; then
            later_e=$((e += 1))
            later_a=$a
        elif [ $e -lt ${#expected[@]} ] && line_matches "${actual[a]}" "${expected[e]}"; then
            a=$((a + 1)) e=$((e + 1))
        elif [ "$later_a" -ge 0 ]; then
            a=$((later_a += 1)) e=$later_e
        else
            return 1
        fi
    done
    [ "${expected[e]-}" != ... ] || e=$((e + 1))
    [ $e -eq ${#expected[@]} ]
}

# check LINE COMMAND EXPECTED
check() {
    local actual code
    actual=$(bash -c "$2" 2>&1 </dev/null)
    code=$?
    [ "$code" -eq 0 ] || actual=${actual:+$actual$'\n'}"[$code]"
    if matches "$actual" "$3"; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    printf '%s:%s: %s\n' "$file" "$1" "$2"
    diff -u <(printf '%s\n' "$3") <(printf '%s\n' "$actual") | tail -n +4
}

number=0
started=0
command=
left_out=
expected=()

finish() {
    local IFS=$'\n'
    while [ ${#expected[@]} -gt 0 ] && [ -z "${expected[-1]}" ]; do unset 'expected[-1]'; done
    [ -z "$command" ] || check "$started" "$command" "${expected[*]}"
    command=
    expected=()
}

take() {
    if [[ $command == *\\ && ${#expected[@]} -eq 0 ]]; then
        command+=$'\n'$1
        return
    fi
    case $1 in
    '$ '*)
        finish
        command=${1#'$ '}
        [ -z "$left_out" ] || command=
        left_out=
        started=$number
        ;;
    '# not under Wine'*) left_out=${TABIYA_WINE:-} ;;
    '# '*) ;;
    *) expected+=("$1") ;;
    esac
}

read_transcript() {
    while IFS= read -r line; do
        number=$((number + 1))
        take "$line"
    done <"$file"
    finish
}

read_markdown() {
    local block='' target=''
    ln -s "$samples" examples
    while IFS= read -r line; do
        number=$((number + 1))
        case $block:$line in
        ':```console'*) block=console ;;
        ':```c '* | ':```sql '*) block='file'; target=${line#* }; : >"$target" ;;
        ':```'*) block=other ;;
        'console:```') finish; block= ;;
        *':```') block= ;;
        'console:'*) take "$line" ;;
        'file:'*) printf '%s\n' "$line" >>"$target" ;;
        esac
    done <"$file"
}

case $file in *.md) read_markdown ;; *) read_transcript ;; esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

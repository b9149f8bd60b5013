# The man page and the completions, which come from the same table as the help.

$ tabiya --man | head -n 4
.TH TABIYA 1 "" "tabiya 2.0.0" "User Commands"
.SH NAME
tabiya \- find, check and convert chess games and positions
.SH SYNOPSIS

# groff, if installed, reports nothing.

$ if command -v groff >/dev/null; then tabiya --man | groff -man -Tutf8 -ww -z; fi

$ if command -v mandoc >/dev/null; then tabiya --man | mandoc -T lint -W error; fi

$ tabiya --man >tabiya.1; if command -v man >/dev/null; then man -l tabiya.1 | grep -c '^ *--divide$'; else echo 1; fi
1

# Every option of every command is in all of them.

$ for c in $(tabiya --help | sed -n '/^Options/q; s/^  \([a-z]*\) .*/\1/p'); do \
    tabiya $c --help | sed -n 's/^.\{6\}--\([a-z0-9-]*\).*/\1/p'; done | sort -u >names; \
    [ $(wc -l <names) -gt 80 ] && echo yes
yes

$ tabiya --man | tr -d '\\' >page; while read -r n; do grep -q -e "--$n" page || echo "no $n"; done <names

$ for shell in bash zsh fish; do tabiya --completions $shell >script; while read -r n; do grep -q -e "$n" script || \
    echo "$shell: no $n"; done <names; done

$ for shell in bash zsh fish; do if command -v $shell >/dev/null; then tabiya --completions $shell | $shell -n; fi; done

# bash completes commands, options and values.

$ cat >complete.sh <<<'source <(tabiya --completions bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tabiya; echo "${COMPREPLY[@]}"'

$ bash complete.sh tabiya p
perft pgn publish

$ bash complete.sh tabiya perft 5 --d
--divide

$ bash complete.sh tabiya moves --to ''
san uci lan boardinfo-moves base64-moves short iccf cmbr

$ bash complete.sh tabiya --completions z
zsh

$ touch board.svg; bash complete.sh tabiya show --to svg -o bo
board.svg

# Where arguments are files, files are completed.

$ touch games.pgn; bash complete.sh tabiya check ga
games.pgn

$ bash complete.sh tabiya pgn --unique ga
games.pgn

#!/bin/sh
# inside.sh - installs the packages in /debs into the root it runs in, and tries each: see run.sh.
set -eu
export DEBIAN_FRONTEND=noninteractive
cd /debs

expect() { # expect WANTED GOT
    [ "$1" = "$2" ] || { printf 'expected %s\ngot      %s\n' "$1" "$2" >&2; exit 1; }
}
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d # no service is started here
chmod +x /usr/sbin/policy-rc.d
apt-get -qq update
apt-get -qq install -y --no-install-recommends ./*.deb gcc libc6-dev man-db pkg-config sqlite3 >/tmp/log 2>&1 ||
    { tail -n 40 /tmp/log; exit 1; }

echo "tabiya"
expect "58 games, 58 good, 0 bad, 3379 plies, 71 plies in variations" "$(tabiya check famous.pgn)"
expect "58 games read: 58 stored, 0 duplicates, 0 rejected" "$(tabiya import /tmp/games.db famous.pgn)"
expect 2 "$(tabiya find /tmp/games.db --count 'player morphy mate')"
for file in tabiya.service tabiya.socket tabiya-update.service tabiya-update.timer; do
    [ -e "/lib/systemd/system/$file" ]
done
[ -x "$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' /lib/systemd/system/tabiya.service)" ]
[ -x "$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' /lib/systemd/system/tabiya-update.service)" ]
expect "tabiya tabiya" "$(stat -c '%U %G' /var/lib/tabiya/incoming)"
cp famous.pgn /var/lib/tabiya/incoming/
runuser -u tabiya -- /usr/lib/tabiya/update.sh /var/lib/tabiya >/dev/null
expect 58 "$(runuser -u tabiya -- tabiya find /var/lib/tabiya/games.db --count)"
rm -r /var/lib/tabiya/games* /var/lib/tabiya/imported
[ -e /usr/share/man/man1/tabiya.1.gz ] && [ -e /usr/share/bash-completion/completions/tabiya ]

echo "libtabiya-dev"
cat >/tmp/perft.c <<'END'
#include <stdio.h>
#include <tabiya.h>
int main(void)
{
    tby_position pos;
    tby_position_start(&pos);
    printf("%llu\n", (unsigned long long)tby_perft(&pos, 4));
    return 0;
}
END
cc /tmp/perft.c $(pkg-config --cflags --libs tabiya) -o /tmp/perft
expect 197281 "$(/tmp/perft)"
ldd /tmp/perft | grep -q 'libtabiya.so.2 => /lib'
cc /tmp/perft.c -l:libtabiya.a -o /tmp/perft
expect 197281 "$(/tmp/perft)"
cat >/tmp/store.c <<'END'
#include <stdio.h>
#include <tabiya_db.h>
int main(void)
{
    puts(tby_version());
    return 0;
}
END
cc /tmp/store.c $(pkg-config --cflags --libs tabiya_db tabiya_tree tabiya_table) -o /tmp/store
expect "$(tabiya --version | cut -d' ' -f2)" "$(/tmp/store)"

echo "sqlite3-tabiya"
module=$(pkg-config --variable=sqlite_extension tabiya)
expect "1. e4 e5 2. Nf3 *" "$(sqlite3 :memory: ".load $module" "SELECT toSan('e2e4 e7e5 g1f3')")"
expect 58 "$(sqlite3 :memory: ".load $module" "SELECT count(*) FROM read_pgn('famous.pgn') WHERE error IS NULL")"

echo "python3-tabiya"
expect 20 "$(python3 -c 'import tabiya; print(len(tabiya.Position().legal_moves))')"
expect 58 "$(python3 -c 'import tabiya; print(sum(1 for _ in tabiya.read_games("famous.pgn")))')"
[ "$(python3 -c 'import importlib.metadata as m; print(m.version("tabiya"))')" = "$(tabiya --version | cut -d' ' -f2)" ]

postgres=$(echo postgresql-*-tabiya_*.deb)
postgres=${postgres%%_*}
echo "$postgres"
bin=$(echo /usr/lib/postgresql/*/bin)
as_postgres() { runuser -u postgres -- "$@"; }
install -d -o postgres /tmp/pg
as_postgres $bin/initdb -D /tmp/pg/data --auth=trust --no-sync >/dev/null
as_postgres $bin/pg_ctl -D /tmp/pg/data -l /tmp/pg/log -w -o "-c listen_addresses='' -c unix_socket_directories=/tmp/pg -c fsync=off" \
    start >/dev/null || { cat /tmp/pg/log; exit 1; }
ask() { as_postgres psql -h /tmp/pg -XAtq -d postgres -v ON_ERROR_STOP=1 -c "$1"; }
ask 'CREATE EXTENSION tabiya'
answer=$(ask "SELECT toSan('e2e4 e7e5 g1f3'), isCheckmate('1.f3 e5 2.g4 Qh4#')")
as_postgres $bin/pg_ctl -D /tmp/pg/data -m fast stop >/dev/null
expect "1. e4 e5 2. Nf3 *|t" "$answer"

apt-get -qq purge -y tabiya libtabiya2 sqlite3-tabiya "$postgres" python3-tabiya >/tmp/log 2>&1 || { tail /tmp/log; exit 1; }
left=$(find / -xdev -iname '*tabiya*' ! -path '/debs/*' ! -path '/tmp/*' ! -path '/proc/*')
expect "" "$left"
echo "all packages work, and leave nothing behind"

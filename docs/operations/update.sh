#!/bin/sh
# update.sh - imports new games into a copy of the database, verifies the copy and publishes it: update.sh FOLDER
#
#     FOLDER/incoming/        new games, in any format that tabiya import reads
#     FOLDER/imported/        the files of games that have been published
#     FOLDER/games-TIME.db    databases; the last two are kept, so that you can go back
#     FOLDER/games.db         a link to the database being served
#
# Whatever fails, the link still points to the old database, and the games stay where they are.
set -eu
cd "$1"
mkdir -p incoming imported
set -- incoming/*
[ -e "$1" ] || exit 0

new=games-$(date -u +%Y%m%dT%H%M%SZ).db
trap 'rm -f "$new.part" "$new.part-wal" "$new.part-shm" "$new.part-journal" games.db.next' EXIT
trap 'exit 1' INT TERM
[ ! -e games.db ] || cp --reflink=auto games.db "$new.part"
tabiya import "$new.part" "$@" || [ $? -eq 1 ] # 1: some games are faulty, and were left out
tabiya verify "$new.part"
sync "$new.part"
mv "$new.part" "$new"
ln -s "$new" games.db.next
mv -T games.db.next games.db
mv -- "$@" imported/

# In the order of their names, which is that of age; never the one being served.
for old in $(printf '%s\n' games-*.db | head -n -2); do
    [ "$old" = "$(readlink games.db)" ] || rm -f "$old"
done

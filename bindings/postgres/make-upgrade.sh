#!/bin/sh
# make-upgrade.sh - writes the script that updates the extension from version 1.1: upgrade.sql, with the section "Move
# statistics" of tabiya--2.0.sql in place of the line that names it, whose functions replace those of 1.1, followed by
# the sections "Aggregates" and "Names of arguments".
set -eu
cd "$(dirname "$0")"
sed -n '1,/^-- SECTION/p' upgrade.sql | sed '$d'
sed -n '/^-- ---- Move statistics/,/^-- ---- Queries/p' tabiya--2.0.sql | sed -e '$d' -e 's/^CREATE FUNCTION \([^{]\)/CREATE OR REPLACE FUNCTION \1/'
sed -n '/^-- ---- Aggregates/,/^-- ---- The extension/p' tabiya--2.0.sql | sed '$d'
sed '1,/^-- SECTION/d' upgrade.sql

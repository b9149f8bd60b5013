# recovery.pl - what is stored survives a crash, a dump, and COPY in both forms; a standby has it too.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $queries = q{
    SELECT count(*), sum(plyCount(game)), count(*) FILTER (WHERE hasOpening(game, '1. a3')),
        count(*) FILTER (WHERE hasBoard(game, 'rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1', 8)),
        md5(string_agg(game::bytea, ''::bytea ORDER BY id)), md5(string_agg(board::text, '' ORDER BY id)) FROM games};
my $by_index = q{
    SET enable_seqscan = off;
    SELECT count(*) FROM games WHERE hasOpening(game, '1. a3');
    SELECT count(*) FROM games WHERE hasBoard(game, 'rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1', 8);
    SELECT count(*) FROM games WHERE board = 'rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1';};

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION tabiya; CREATE EXTENSION amcheck;
    CREATE TABLE games (id integer PRIMARY KEY, game chessgame NOT NULL, board chessboard);
    CREATE INDEX games_by_moves ON games (game);
    CREATE INDEX games_by_board ON games USING gin (game);
    CREATE INDEX ON games (board);");
$node->safe_psql('postgres', "COPY games (id, game) FROM '$ENV{TABIYA_RANDOM_GAMES}' WITH (FORMAT binary);
    UPDATE games SET board = getBoard(game, 1);");
my $before = $node->safe_psql('postgres', $queries);
my $found = $node->safe_psql('postgres', $by_index);

# A crash after a change that was rolled back.
$node->safe_psql('postgres', "BEGIN; DELETE FROM games WHERE id % 2 = 0; ROLLBACK;");
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', $queries), $before, 'games are there after a crash');
is($node->safe_psql('postgres', $by_index), $found, 'indexes are there after a crash');
$node->safe_psql('postgres', "SELECT bt_index_check('games_by_moves', true)");

# A standby.
$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
$node->safe_psql('postgres', "INSERT INTO games SELECT -id, undoLastMove(game), board FROM games WHERE id % 10 = 0");
$node->wait_for_catchup($standby, 'replay', $node->lsn('write'));
is($standby->safe_psql('postgres', $by_index), $node->safe_psql('postgres', $by_index), 'a standby finds the same');
$standby->stop;
$node->safe_psql('postgres', "DELETE FROM games WHERE id < 0");

# Dump and restore, as text and as an archive.
for my $format ('plain', 'custom') {
    my $file = "$PostgreSQL::Test::Utils::tmp_check/dump.$format";
    $node->command_ok(['pg_dump', '-F', $format, '-f', $file, 'postgres'], "dump, $format");
    $node->safe_psql('postgres', "CREATE DATABASE $format");
    $node->command_ok($format eq 'plain' ? ['psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $file, $format]
        : ['pg_restore', '-d', $format, $file], "restore, $format");
    is($node->safe_psql($format, $queries), $before, "the same after dump and restore, $format");
    is($node->safe_psql($format, $by_index), $found, "found by indexes after dump and restore, $format");
}

# COPY, out and in.
for my $format ('text', 'binary', 'csv') {
    my $file = "$PostgreSQL::Test::Utils::tmp_check/copy.$format";
    $node->safe_psql('postgres', "COPY games TO '$file' WITH (FORMAT $format);
        CREATE TABLE kept AS SELECT * FROM games; TRUNCATE games;
        COPY games FROM '$file' WITH (FORMAT $format); DROP TABLE kept;");
    is($node->safe_psql('postgres', $queries), $before, "the same after COPY, $format");
}

# A damaged file is refused.
my ($status, $out, $err) = $node->psql('postgres', q{SELECT '\x10ff0000000000000000000000000000000000'::bytea::chessgame});
like($err, qr/invalid packed game/, 'damaged bytes are refused');
is($node->safe_psql('postgres', 'SELECT 1'), '1', 'the server is there');

# Another encoding: characters that it lacks are an error, the rest is converted both ways.
$node->safe_psql('postgres', "CREATE DATABASE latin1 ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
$node->safe_psql('latin1', 'CREATE EXTENSION tabiya');
is($node->safe_psql('latin1', q{SET client_encoding = 'UTF8'; SELECT tags ->> 'White', length(tags ->> 'White'), toPgn(game, tags) FROM parsePgn('[White "Zo' || chr(233) || '"] 1. e4 *')}),
    qq{Zo\xc3\xa9|3|[White "Zo\xc3\xa9"]\n\n1. e4 *\n\n}, 'LATIN1, there and back');
($status, $out, $err) = $node->psql('latin1', q{SELECT toUnicode(getBoard(''))});
like($err, qr/no equivalent in encoding "LATIN1"/, 'LATIN1 has no figurines');

$node->stop;
done_testing();

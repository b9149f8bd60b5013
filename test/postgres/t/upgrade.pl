# upgrade.pl - ALTER EXTENSION UPDATE from 1.0 keeps what was built on it, and makes what CREATE EXTENSION makes; a user who
# is no superuser installs the extension; pg_upgrade carries all of it over.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# Everything that belongs to the extension, with its marks.
my $members = q{
    SELECT pg_describe_object(d.classid, d.objid, 0), p.provolatile, p.proparallel, p.proisstrict, p.proleakproof, p.procost,
        p.prosrc, obj_description(d.objid, d.classid::regclass::name)
    FROM pg_depend d LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tabiya') ORDER BY 1};

# Tables, views, indexes and functions of a user of 1.0.
$node->safe_psql('postgres', 'CREATE DATABASE old');
$node->safe_psql('old', q{CREATE EXTENSION tabiya VERSION '1.0';
    CREATE TABLE games (id integer PRIMARY KEY, game chessgame, board chessboard);
    CREATE INDEX games_by_moves ON games (game);
    CREATE INDEX games_by_board ON games USING gin (game chessgame_gin_ops (max_ply = 40));
    CREATE INDEX games_by_beginning ON games (getFirstMoves(game, 10));
    CREATE VIEW found AS SELECT id, getBoard(game, 1) AS first FROM games WHERE hasBoard(game, getBoard('1. a3'), 20);
    CREATE VIEW played AS SELECT m.* FROM (SELECT nextMoves(game, getBoard('')) AS list FROM games) AS x, unnest(list) AS m;
    CREATE VIEW opened AS SELECT id FROM games WHERE hasOpening(game, '1. a3')});
$node->safe_psql('old', "COPY games (id, game) FROM '$ENV{TABIYA_RANDOM_GAMES}' WITH (FORMAT binary); ANALYZE games");
my $questions = q{
    SELECT count(*), min(first::text) FROM found;
    SELECT * FROM played;
    SELECT count(*) FROM opened;
    SELECT md5(string_agg(game::text, ',' ORDER BY id)) FROM games;};
my $before = $node->safe_psql('old', $questions);

$node->safe_psql('old', 'ALTER EXTENSION tabiya UPDATE');
is($node->safe_psql('old', "SELECT extversion FROM pg_extension WHERE extname = 'tabiya'"), '1.1', 'updated');
is($node->safe_psql('old', $questions), $before, 'the same answers after the update');
like($node->safe_psql('old', 'SET enable_seqscan = off; EXPLAIN SELECT * FROM found'), qr/games_by_board/, 'a view of 1.0 goes by its index');
is($node->safe_psql('old', 'SELECT count(*) FROM games WHERE hasBoard(game, getBoard(game, 0::bigint), 2)'), '500', 'what is new is there');

$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION tabiya');
is($node->safe_psql('old', $members), $node->safe_psql('fresh', $members), 'an update makes what an installation makes');

# The number that the library has is the number of the files.
is($node->safe_psql('fresh', "SELECT tabiyaVersion() LIKE extversion || '.%' FROM pg_extension WHERE extname = 'tabiya'"), 't',
    'extension and library have one version');

# A view that hands out bounds as games stands in the way, and is named.
$node->safe_psql('postgres', 'CREATE DATABASE odd');
$node->safe_psql('odd', "CREATE EXTENSION tabiya VERSION '1.0'; CREATE VIEW bounds AS SELECT openingEnd('1. e4')");
my ($status, $out, $err) = $node->psql('odd', 'ALTER EXTENSION tabiya UPDATE');
like($err, qr/view bounds depends on function openingend/, 'what depends on openingEnd is told');
is($node->safe_psql('odd', "SELECT extversion FROM pg_extension WHERE extname = 'tabiya'"), '1.0', 'and 1.0 stays');

# The owner of a database installs it: trusted.
$node->safe_psql('postgres', 'CREATE ROLE librarian LOGIN; CREATE DATABASE library OWNER librarian');
$node->safe_psql('library', q{CREATE EXTENSION tabiya; CREATE TABLE g (game chessgame); INSERT INTO g VALUES ('1. e4')},
    extra_params => ['-U', 'librarian']);
is($node->safe_psql('library', "SELECT hasOpening(game, '1. e4') FROM g", extra_params => ['-U', 'librarian']), 't', 'no superuser is needed');

# pg_upgrade, to the version at hand.
$node->safe_psql('postgres', 'DROP DATABASE odd');
my $later = PostgreSQL::Test::Cluster->new('later');
$later->init;
$node->stop;
chdir $PostgreSQL::Test::Utils::tmp_check;
my $bin = $node->config_data('--bindir');
chomp $bin;
command_ok(['pg_upgrade', '--no-sync', '-d', $node->data_dir, '-D', $later->data_dir, '-b', $bin, '-B', $bin,
    '-s', $node->host, '-p', $node->port, '-P', $later->port], 'pg_upgrade');
$later->start;
is($later->safe_psql('old', $questions), $before, 'the same answers after pg_upgrade');
is($later->safe_psql('old', $members), $later->safe_psql('fresh', $members), 'the same members after pg_upgrade');
is($later->safe_psql('old', q{SELECT count(*) FROM pg_depend WHERE deptype = 'e' AND objid = 'nextmovelist'::regtype}), '1',
    'what nextMoves answers still belongs to the extension');
$later->stop;
done_testing();

# upgrade.pl - a user who is not a superuser installs the extension; pg_upgrade preserves what was built on it.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# Everything that belongs to the extension, with its properties.
my $members = q{
    SELECT pg_describe_object(d.classid, d.objid, 0), p.provolatile, p.proparallel, p.proisstrict, p.proleakproof, p.procost,
        p.prosrc, obj_description(d.objid, d.classid::regclass::name)
    FROM pg_depend d LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tabiya') ORDER BY 1};

$node->safe_psql('postgres', 'CREATE DATABASE old');
$node->safe_psql('old', q{CREATE EXTENSION tabiya;
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

my $made = $node->safe_psql('old', $members);

# The owner of a database can install it: it is trusted.
$node->safe_psql('postgres', 'CREATE ROLE librarian LOGIN; CREATE DATABASE library OWNER librarian');
$node->safe_psql('library', q{CREATE EXTENSION tabiya; CREATE TABLE g (game chessgame); INSERT INTO g VALUES ('1. e4')},
    extra_params => ['-U', 'librarian']);
is($node->safe_psql('library', "SELECT hasOpening(game, '1. e4') FROM g", extra_params => ['-U', 'librarian']), 't', 'no superuser is needed');

# pg_upgrade to the current version.
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
is($later->safe_psql('old', $members), $made, 'the same members after pg_upgrade');
is($later->safe_psql('old', q{SELECT count(*) FROM pg_depend WHERE deptype = 'e' AND classid = 'pg_type'::regclass AND objid = 'nextmovelist'::regtype}), '1',
    'what nextMoves answers still belongs to the extension');
$later->stop;
done_testing();

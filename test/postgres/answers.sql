-- answers.sql - runs test/sql/answers.tsv: psql -f answers.sql -v file=answers.tsv. The last line is "N passed, N failed".
\set ON_ERROR_STOP on
\set QUIET on
\pset tuples_only on
\pset format unaligned
CREATE EXTENSION IF NOT EXISTS tabiya;

CREATE TEMP TABLE lines (number serial, line text);
\set copy '\\copy lines (line) FROM ' :'file' ' WITH (FORMAT csv, DELIMITER E''\\x01'', QUOTE E''\\x02'')'
:copy

CREATE TEMP TABLE answers AS
    SELECT number, split_part(line, E'\t', 1) AS expression, split_part(line, E'\t', 2) AS expected, NULL::text AS answer
    FROM lines WHERE line LIKE E'%\t%' AND line NOT LIKE '#%';

DO $$
DECLARE
    row record;
    found text;
BEGIN
    FOR row IN SELECT * FROM answers LOOP
        BEGIN
            EXECUTE 'SELECT (' || row.expression || ')::text' INTO found;
            found := coalesce(rtrim(found, E'\n'), 'NULL');
        EXCEPTION WHEN OTHERS THEN
            found := 'error: ' || SQLERRM;
        END;
        UPDATE answers SET answer = found WHERE number = row.number;
    END LOOP;
END
$$;

CREATE TEMP VIEW wrong AS
    SELECT * FROM answers
    WHERE answer <> expected
        AND NOT (expected LIKE 'error: %' AND answer LIKE 'error: %' AND strpos(answer, substr(expected, 8)) > 0);
SELECT expression || E'\n    expected ' || expected || E'\n    answered ' || answer FROM wrong ORDER BY number;
SELECT count(*) - (SELECT count(*) FROM wrong) || ' passed, ' || (SELECT count(*) FROM wrong) || ' failed' FROM answers;

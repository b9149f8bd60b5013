-- overloads.sql - for overloads.sh, run as a user who may create objects in the extension's schema :ext and in public:
-- overloads of functions and operators, which raise an error that names them.
SET search_path = pg_catalog;
SET check_function_bodies = off;
SELECT set_config('planted.ext', :'ext', false) AS ext \gset
DO $do$
DECLARE
    ext name := current_setting('planted.ext');
    own text[] := ARRAY['chessgame', 'chessboard', 'boardquery', 'chessquery', 'nextmovelist', 'nextmove[]'];
    builtin text[] := '{text,integer,bigint,varchar,name,oid,regclass,regnamespace,bytea,numeric,text[],bigint[],int4range}';
    types text[] := builtin || (SELECT array_agg(format('%I.%s', ext, t)) FROM unnest(own) AS t);
    name text;
    has_two boolean;
    a text;
    b text;
    n integer := 0;
    operator text;
    result text;
BEGIN
    -- overloads with one and two arguments, and with a third that is a number
    FOR name, has_two IN SELECT p.proname, bool_or(pronargs > 1) FROM pg_proc p JOIN pg_namespace s ON s.oid = pronamespace
        WHERE s.nspname = ext AND p.proname !~ '_(lt|le|eq|ne|gt|ge|cmp|in|out|send|recv|sel|joinsel|support|hash|hash_extended)$' GROUP BY 1
        UNION SELECT unnest('{count,sum,max,min,bool_and,lower,upper,length,octet_length,substr,format,string_agg,unnest,to_regclass,to_regnamespace,to_regproc,
            obj_description,has_table_privilege,nextval,setval,generate_series,replace,array_position,pg_options_to_table,current_setting,set_config,to_char,
            quote_ident,split_part,strpos,pg_relation_size,pg_total_relation_size,row_number,regexp_replace,regexp_matches,string_to_array,cardinality,
            jsonb_build_object,int8,int4,text,btrim,grouping_id,array_to_tsvector}'::text[]), true LOOP
        FOREACH a IN ARRAY types LOOP
            BEGIN
                EXECUTE format($f$CREATE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted: %s(%s)'; END $$$f$,
                    ext, name, a, a, name, a);
                n := n + 1;
            EXCEPTION WHEN duplicate_function OR insufficient_privilege OR invalid_function_definition OR wrong_object_type THEN
            END;
            CONTINUE WHEN NOT has_two;
            FOREACH b IN ARRAY '{text,varchar,name,integer,bigint,regclass}'::text[]
                || format('%I.chessgame', ext) || format('%I.chessboard', ext) || format('%I.chessquery', ext) LOOP
                BEGIN
                    EXECUTE format($f$CREATE FUNCTION %I.%I(%s, %s) RETURNS %s LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted: %s(%s, %s)'; END $$$f$,
                        ext, name, a, b, a, name, a, b);
                    n := n + 1;
                EXCEPTION WHEN duplicate_function OR insufficient_privilege OR invalid_function_definition OR wrong_object_type THEN
                END;
            END LOOP;
        END LOOP;
        FOREACH b IN ARRAY '{integer,smallint,text,oid}'::text[] LOOP
            EXECUTE format($f$CREATE OR REPLACE FUNCTION %1$I.%2$I(%3$I.chessgame, %3$I.chessboard, %4$s) RETURNS boolean LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'planted: %2$s(game, board, %4$s)'; END $$$f$, ext, name, ext, b);
        END LOOP;
    END LOOP;
    -- operators that PostgreSQL lacks for exactly these types
    FOREACH operator IN ARRAY '{=,<>,<,>,<=,>=,||,&,+,-,/,%,~,~~,@>,<@,@~,->>,!~~,@@}'::text[] LOOP
        result := CASE WHEN operator IN ('||', '&', '+', '-', '/', '%', '->>') THEN 'text' ELSE 'boolean' END;
        FOREACH a IN ARRAY types LOOP
            FOREACH b IN ARRAY types LOOP
                CONTINUE WHEN EXISTS (SELECT 1 FROM pg_operator WHERE oprname = operator AND oprleft = a::regtype AND oprright = b::regtype);
                EXECUTE format($f$CREATE OR REPLACE FUNCTION %1$I.planted_%2$s(%3$s, %4$s) RETURNS %2$s LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'planted: operator on %3$s and %4$s'; END $$$f$, ext, result, a, b);
                EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %1$I.planted_%5$s)', ext, operator, a, b, result);
                n := n + 1;
            END LOOP;
        END LOOP;
    END LOOP;
    IF n < 10000 THEN
        RAISE EXCEPTION 'only % things could be planted', n;
    END IF;
END $do$;

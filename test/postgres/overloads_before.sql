-- overloads_before.sql - for overloads.sh, run in a database without the extension, as a user who may create objects in the
-- schemas public and chess: functions with the names of the extension's, which raise an error. In chess they have the
-- same arguments as those, in public others. names.txt has the names and arguments.
SET search_path = pg_catalog, pg_temp;
CREATE TEMPORARY TABLE names (name text, arguments text);
\copy names FROM names.txt WITH (DELIMITER '|')
DO $do$
DECLARE
    body text := $$ LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''planted''; END'$$;
    f record;
    variant text;
    n integer := 0;
BEGIN
    FOR f IN SELECT DISTINCT name, CASE WHEN name IN ('tabiya_define', 'tabiya_compare') THEN 'PROCEDURE' ELSE 'FUNCTION' END AS kind FROM pg_temp.names LOOP
        FOREACH variant IN ARRAY '{text,varchar,name,integer,bigint,smallint,bytea,jsonb,oid,regclass,anyelement,text[]}'::text[] || '{"text, text DEFAULT ''''","text, integer DEFAULT 0","VARIADIC text[]",
                "varchar, varchar","text, varchar","regclass, text","text, text, text, text, varchar","varchar, varchar, varchar, varchar, varchar"}'::text[] LOOP
            BEGIN
                EXECUTE format('CREATE %s chess.%I(%s)%s%s', f.kind, f.name, variant, CASE f.kind WHEN 'FUNCTION' THEN ' RETURNS boolean' ELSE '' END, body);
                n := n + 1;
            EXCEPTION WHEN duplicate_function OR ambiguous_function THEN
            END;
            CONTINUE WHEN EXISTS (SELECT 1 FROM pg_temp.names x WHERE x.name = f.name
                AND x.arguments = replace(replace(regexp_replace(variant, ' DEFAULT [^,]*', '', 'g'), 'VARIADIC ', ''), 'varchar', 'character varying'));
            BEGIN
                EXECUTE format('CREATE %s public.%I(%s)%s%s', f.kind, f.name, variant, CASE f.kind WHEN 'FUNCTION' THEN ' RETURNS boolean' ELSE '' END, body);
                n := n + 1;
            EXCEPTION WHEN duplicate_function OR ambiguous_function THEN
            END;
        END LOOP;
    END LOOP;
    IF n < 2000 THEN
        RAISE EXCEPTION 'only % functions could be planted', n;
    END IF;
END $do$;
CREATE FUNCTION public.planted(text, varchar) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''planted''; END';
CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = varchar, FUNCTION = public.planted);
CREATE OPERATOR public.<> (LEFTARG = text, RIGHTARG = varchar, FUNCTION = public.planted);

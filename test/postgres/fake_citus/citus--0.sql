-- citus--0.sql - for tests: the functions of Citus that tabiya calls, on a single server. Each call is recorded in
-- pg_catalog.citus_calls. What Citus refuses before it distributes a table is refused here too, and so is DDL that it
-- refuses for distributed tables. For other statements, citus_rules.txt lists what Citus refuses.
SET LOCAL allow_system_table_mods = on;
CREATE TABLE pg_catalog.citus_calls (n integer, call text);
CREATE TABLE pg_catalog.pg_dist_local_group AS SELECT 0 AS groupid;
CREATE TABLE pg_catalog.pg_dist_transaction (groupid integer, gid text);
CREATE TABLE pg_catalog.pg_dist_node (nodeid integer, groupid integer, nodename text, nodeport integer);
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, colocate_with text);
-- Each distributed table has two shards: even and odd values of its column.
CREATE VIEW pg_catalog.pg_dist_shard AS SELECT logicalrelid, n AS shardid, n::text AS shardminvalue FROM pg_dist_partition, generate_series(0, 1) AS n WHERE partmethod = 'h';
CREATE VIEW pg_catalog.citus_shards AS SELECT logicalrelid AS table_name, shardid, 5432 AS nodeport FROM pg_dist_shard;

CREATE FUNCTION citus_record(what text) RETURNS void LANGUAGE sql AS
    $$INSERT INTO pg_catalog.citus_calls SELECT (SELECT count(*) + 1 FROM pg_catalog.citus_calls), what$$;

CREATE FUNCTION citus_distribute(relation regclass, method "char", key text, with_table text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = relation) THEN
        RAISE EXCEPTION 'table % is already distributed', relation;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = relation AND NOT tgisinternal) THEN
        RAISE EXCEPTION 'cannot distribute relation % because it has triggers', relation;
    END IF;
    IF EXISTS (SELECT 1 FROM pg_constraint WHERE contype = 'f' AND confrelid = relation) THEN
        RAISE EXCEPTION 'cannot distribute relation % because a local table references it', relation;
    END IF;
    IF method = 'h' AND EXISTS (SELECT 1 FROM pg_index WHERE indrelid = relation AND indisunique AND NOT EXISTS (SELECT 1 FROM pg_attribute
            WHERE attrelid = relation AND attname = key AND attnum = ANY (indkey))) THEN
        RAISE EXCEPTION 'cannot create constraint on % (distributed relations cannot have UNIQUE or PRIMARY KEY constraints that do not include the partition column)', relation;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid > 0) THEN
        RAISE EXCEPTION 'couldn''t find any worker nodes';
    END IF;
    INSERT INTO pg_dist_partition VALUES (relation, method, key, with_table);
END $$;

-- Citus sends the whole text of a statement to the workers, which refuse a text with several statements.
CREATE FUNCTION citus_check_ddl() RETURNS event_trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE relation regclass;
BEGIN
    FOR relation IN SELECT DISTINCT d.logicalrelid FROM pg_event_trigger_ddl_commands() AS c, pg_dist_partition AS d
        WHERE c.objid = d.logicalrelid OR c.objid IN (SELECT indexrelid FROM pg_index WHERE indrelid = d.logicalrelid)
            OR c.objid IN (SELECT oid FROM pg_trigger WHERE tgrelid = d.logicalrelid) LOOP
        IF regexp_replace(current_query(), '\$\$.*?\$\$', '', 'g') ~ ';\s*\S' THEN
            RAISE EXCEPTION 'cannot execute multiple utility events';
        END IF;
        IF TG_TAG = 'CREATE TRIGGER' THEN
            RAISE EXCEPTION 'triggers are not supported on distributed tables: %', relation;
        END IF;
    END LOOP;
END $$;
CREATE EVENT TRIGGER citus_check_ddl ON ddl_command_end EXECUTE FUNCTION citus_check_ddl();

CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default',
    shard_count integer DEFAULT NULL)
    RETURNS void LANGUAGE sql AS $$
    SELECT citus_distribute(table_name, 'h', distribution_column, colocate_with);
    SELECT citus_record(format('distribute %s by %s with %s', table_name, distribution_column, colocate_with))$$;
CREATE FUNCTION worker_hash(value bigint) RETURNS integer LANGUAGE sql AS $$SELECT (abs(value % 2))::integer$$;
CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
    SELECT citus_distribute(table_name, 'n', NULL, NULL);
    SELECT citus_record(format('reference %s', table_name))$$;
CREATE FUNCTION citus_set_coordinator_host(host text, port integer DEFAULT 5432) RETURNS void LANGUAGE sql AS $$
    INSERT INTO pg_dist_node VALUES (0, 0, host, port);
    SELECT citus_record('coordinator')$$;
CREATE FUNCTION citus_add_node(nodename text, nodeport integer) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pg_dist_node SELECT max(nodeid) + 1, max(nodeid) + 1, $1, $2 FROM pg_dist_node;
    PERFORM citus_record(format('node %s:%s', $1, $2));
    RETURN (SELECT max(nodeid) FROM pg_dist_node);
END $$;
CREATE FUNCTION citus_rebalance_start() RETURNS bigint LANGUAGE sql AS $$SELECT citus_record('rebalance'); SELECT 1::bigint$$;
CREATE FUNCTION citus_rebalance_status() RETURNS TABLE (job_id bigint, state text) LANGUAGE sql AS $$SELECT 1::bigint, 'finished'$$;
CREATE FUNCTION recover_prepared_transactions() RETURNS integer LANGUAGE sql AS $$SELECT 0$$;
CREATE FUNCTION citus_total_relation_size(relation regclass) RETURNS bigint LANGUAGE sql AS $$SELECT pg_total_relation_size(relation)$$;
-- A node called "down" does not respond.
CREATE FUNCTION run_command_on_workers(command text) RETURNS TABLE (nodename text, nodeport integer, success boolean, result text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE node record;
BEGIN
    FOR node IN SELECT * FROM pg_dist_node WHERE groupid > 0 LOOP
        nodename := node.nodename; nodeport := node.nodeport; success := node.nodename <> 'down'; result := 'connection refused';
        IF success AND command ~ '^DO' THEN
            EXECUTE command;
        ELSIF success THEN
            EXECUTE command INTO result;
        END IF;
        RETURN NEXT;
    END LOOP;
END $$;
CREATE FUNCTION run_command_on_shards(table_name regclass, command text)
    RETURNS TABLE (shardid bigint, success boolean, result text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF command ~ '^DO' THEN -- once, on the whole table
        EXECUTE format(command, table_name);
        success := true; result := 'DO';
        RETURN NEXT;
        RETURN;
    END IF;
    FOR shardid IN 0..1 LOOP
        success := NOT EXISTS (SELECT 1 FROM pg_dist_node WHERE nodename = 'down');
        result := 'connection refused';
        IF success THEN
            EXECUTE format(command, format('(SELECT * FROM %s WHERE abs(%I %% 2) = %s)', table_name, (SELECT partkey FROM pg_dist_partition
                WHERE logicalrelid = table_name), shardid)) INTO result;
            result := coalesce(result, ''); -- Citus never returns NULL
        END IF;
        RETURN NEXT;
    END LOOP;
END $$;
-- All rows are on the first worker.
CREATE FUNCTION run_command_on_placements(table_name regclass, command text)
    RETURNS TABLE (nodename text, nodeport integer, shardid bigint, success boolean, result text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    SELECT n.nodename, n.nodeport, 1, n.nodename <> 'down' INTO nodename, nodeport, shardid, success FROM pg_dist_node n WHERE n.groupid = 1;
    IF success THEN
        EXECUTE format(command, table_name) INTO result;
    END IF;
    RETURN NEXT;
END $$;

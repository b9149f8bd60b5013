/*
 * owners.c - checks who could replace or change what the program uses on a server.
 *
 * Whoever owns a schema can replace anything in it, and whoever owns a table can attach triggers, rules, policies, defaults
 * and constraints to it, whose functions then run with the rights of the user who reads or writes the table. So
 * everything in the schema tabiya, the schemas of tabiya and of the extension, everything that is attached to its tables,
 * and all functions, operators, types and tables that these use must belong to roles that are trusted; nobody else may
 * create objects in the schema or triggers and foreign keys on its tables. Tables must be tables.
 *
 * Refuses  what belongs to others, whoever made it, before any statement uses it. A superuser trusts only superusers.
 *          Other users who create or change tables trust themselves, roles that can act as them, the roles that they are
 *          members of, and the owner of the database. Users who only read or delete games trust the owner of the games,
 *          and whom that owner trusts.
 */
#include "store/postgres/server.h"

/* The user, the role whose trust counts, whether that is a superuser (all servers have one with the number 10), and the
   owner of the database. Another user than the one who logged in has been set with SET ROLE, for instance by ALTER
   DATABASE; functions can set the first again, so both count. $1: does the user want to create tables? $2: to change
   games? */
#define TRUST                                                                                                          \
    "trust AS (SELECT r.me, r.id, pg_has_role(r.id, 10::oid, 'MEMBER') AS is_super, d.datdba FROM pg_database d,"      \
    " (SELECT u.me, CASE WHEN $1::boolean OR pg_has_role(u.me, 10::oid, 'MEMBER') OR $2::boolean AND"                  \
    " has_schema_privilege(u.me, u.schema, 'CREATE') THEN u.me ELSE coalesce((SELECT relowner FROM pg_class WHERE"     \
    " relnamespace = u.schema AND relname = 'game'), u.me) END AS id FROM (SELECT quote_ident(x.name)::regrole::oid"   \
    " AS me, (SELECT oid FROM pg_namespace WHERE nspname = 'tabiya') AS schema FROM (SELECT current_user UNION SELECT" \
    " session_user) AS x (name)) AS u) AS r WHERE d.datname = current_database())"

/* The relations of the schema, and those that inherit from them. */
#define RELATIONS                                                                                                      \
    "rel AS (SELECT c.oid, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid ="                        \
    " c.relnamespace WHERE n.nspname = 'tabiya' UNION SELECT c.oid, c.relname, c.relkind FROM rel JOIN"                \
    " pg_inherits i ON i.inhparent = rel.oid JOIN pg_class c ON c.oid = i.inhrelid)"

/* They, and what is attached to them. */
#define PART(catalog, column)                                                                                          \
    " UNION ALL SELECT '" catalog "'::regclass, x.oid FROM " catalog " x JOIN rel ON rel.oid = x." column
#define PARTS                                                                                                          \
    "part (class, id) AS (SELECT 'pg_class'::regclass, oid FROM rel" PART("pg_attrdef", "adrelid")                     \
        PART("pg_constraint", "conrelid") PART("pg_constraint", "confrelid") PART("pg_trigger", "tgrelid")             \
            PART("pg_rewrite", "ev_class") PART("pg_policy", "polrelid") PART("pg_statistic_ext", "stxrelid") ")"

/* These, what they use, and whatever else is in the schema. */
#define IN_SCHEMA(catalog, column)                                                                                     \
    " UNION SELECT '" catalog "'::regclass, oid FROM " catalog " WHERE " column " = to_regnamespace('tabiya')"
#define USED                                                                                                           \
    "used (class, id) AS (SELECT * FROM part UNION SELECT d.refclassid, d.refobjid FROM part p JOIN pg_depend d ON"    \
    " d.classid = p.class AND d.objid = p.id UNION SELECT 'pg_namespace'::regclass, oid FROM pg_namespace WHERE"       \
    " nspname = 'tabiya' OR oid = (SELECT extnamespace FROM pg_extension WHERE extname = 'tabiya')" IN_SCHEMA(         \
        "pg_proc", "pronamespace") IN_SCHEMA("pg_type", "typnamespace") IN_SCHEMA("pg_operator", "oprnamespace") ")"

/* Who has which rights there; no right means the owner. */
#define OWNERS(catalog, column)                                                                                        \
    " UNION ALL SELECT u.class, u.id, x." column ", NULL FROM used u JOIN " catalog " x ON x.oid = u.id"               \
    " WHERE u.class = '" catalog "'::regclass"
#define CLAIMS                                                                                                         \
    "claim (class, id, holder, may) AS (SELECT 'pg_namespace'::regclass, n.oid, a.grantee, a.privilege_type FROM"      \
    " pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = 'tabiya' AND a.privilege_type = 'CREATE' UNION ALL"     \
    " SELECT 'pg_class'::regclass, c.oid, a.grantee, a.privilege_type FROM rel JOIN pg_class c ON c.oid = rel.oid,"    \
    " aclexplode(c.relacl) a WHERE a.privilege_type IN ('TRIGGER', 'REFERENCES') UNION ALL SELECT"                     \
    " 'pg_class'::regclass, rel.oid, a.grantee, a.privilege_type FROM rel JOIN pg_attribute x ON x.attrelid = "        \
    "rel.oid,"                                                                                                         \
    " aclexplode(x.attacl) a WHERE a.privilege_type = 'REFERENCES'" OWNERS("pg_namespace", "nspowner")                 \
        OWNERS("pg_class", "relowner") OWNERS("pg_proc", "proowner") OWNERS("pg_type", "typowner")                     \
            OWNERS("pg_operator", "oprowner") ")"

/* At most one reason, as a sentence. */
static const char find_stranger[] =
    "WITH RECURSIVE " TRUST ", " RELATIONS ", " PARTS ", " USED ", " CLAIMS
    " (SELECT format(CASE WHEN c.may IS NULL THEN '%1$s belongs to %2$s, who could run commands as %4$s through it'"
    " ELSE '%2$s has the privilege %3$s on %1$s, and could run commands as %4$s through it' END,"
    " pg_describe_object(c.class, c.id, 0), CASE c.holder WHEN 0 THEN 'PUBLIC' ELSE c.holder::regrole::text END, c.may,"
    " t.me::regrole) FROM trust t, LATERAL (SELECT claim.*, CASE holder WHEN 'pg_database_owner'::regrole THEN t.datdba"
    " ELSE holder END AS role FROM claim) AS c WHERE c.holder = 0 OR NOT (pg_has_role(c.role, t.id, 'MEMBER') OR NOT"
    " t.is_super AND (pg_has_role(t.id, c.role, 'MEMBER') OR c.role = t.datdba))"
    " ORDER BY c.class <> 'pg_namespace'::regclass, c.class <> 'pg_class'::regclass, c.may IS NOT NULL, 1"
    " DESC LIMIT 1)"
    " UNION ALL (SELECT format('tabiya.%s is not a table', relname) FROM rel WHERE relkind <> 'r' AND relname IN"
    " ('shape', 'member', 'game_played', 'game_tracked', 'game_totals', 'game_folding', 'game_content', "
    "'game_content_new') OR relname = 'game' AND relkind"
    " NOT IN ('r', 'p')) LIMIT 1";

bool server_check_owners(server *s)
{
    buffer reason = {0};
    pg_values v = {.n = 0};
    pg_value(&v, s->mode == TBY_DB_CREATE ? "true" : "false");
    pg_value(&v, s->mode != TBY_DB_READ ? "true" : "false");
    bool is_good = pg_send(&s->to, find_stranger, &v) && pg_texts(&s->to, &reason);
    if (is_good && reason.n)
        is_good = pg_fail(&s->to, "refused: %.300s; see \"Owners\" in docs/postgres.md", reason.s);
    pg_values_free(&v);
    buffer_free(&reason);
    return is_good;
}

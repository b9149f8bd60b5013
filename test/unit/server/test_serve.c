/*
 * test_serve.c - from request to response, without a socket: paths, hosts, methods, headers, parameters, conversions.
 */
#include "serve_support.h"

#include "convert.h"

/* ---- Paths, hosts, methods, headers ---------------------------------------------------------------------- */

TEST(test_serve__finds_no_path_that_is_not_in_its_tables)
{
    static const char *const targets[] = {
        "",
        "*",
        "//",
        "/.",
        "/..",
        "/../../../../etc/passwd",
        "/index",
        "/web/",
        "/%2e%2e/",
        "/api/",
        "/api/convert/",
        "/..%2f..%2fetc%2fpasswd",
        "/etc/passwd",
        "/api/../pieces.svg",
        "http://127.0.0.1/api",
        "/pieces.svg/",
        "/PIECES.SVG",
        "/\\..\\x",
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        expect(opened.full, targets[i], 404, "{\"error\":\"no such path\"}\n");
}

TEST(test_serve__answers_only_to_its_own_hosts)
{
    static const char *const good[] = {"localhost",      "LocalHost:8064", "127.0.0.1", "127.0.0.1:1",
                                       "192.168.1.7:80", "[::1]",          "[::1]:8064"};
    static const char *const bad[] = {"",
                                      "example.org",
                                      "example.org:8064",
                                      "localhost.example.org",
                                      "127.0.0.1.example.org",
                                      "localhost:",
                                      "localhost:99999",
                                      "localhost:8x",
                                      "[::1",
                                      "[::1]x",
                                      "[localhost]",
                                      "1.2.3.4.5",
                                      "::1",
                                      "127.0.0.1@example.org",
                                      "0x7f.1"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        response r = ask(opened.empty, (request){.target = "/api", .host = good[i]});
        assert_int_equal(r.status, 200);
        buffer_free(&r.body);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        response r = ask(opened.empty, (request){.target = "/api", .host = bad[i]});
        if (r.status != 403)
            fail_msg("%s is let in", bad[i]);
        buffer_free(&r.body);
    }
    response r;
    site_answer(opened.empty, &(request){.method = "GET", .target = "/api"}, &r); /* HTTP/1.0 */
    assert_int_equal(r.status, 200);
    buffer_free(&r.body);
}

TEST(test_serve__accepts_only_reading_methods)
{
    static const char *const others[] = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        response r = ask(opened.empty, (request){.target = "/api", .method = others[i]});
        assert_int_equal(r.status, 405);
        assert_string_equal(header_of(&r, "Allow"), "GET, HEAD");
        buffer_free(&r.body);
        r = ask(opened.empty, (request){.target = "/", .method = others[i]});
        assert_int_equal(r.status, 405);
        buffer_free(&r.body);
    }
    response r = ask(opened.empty, (request){.target = "/api/convert", .method = "PUT"});
    assert_string_equal(header_of(&r, "Allow"), "GET, HEAD, POST");
    buffer_free(&r.body);
    r = ask(opened.empty, (request){.target = "/", .method = "HEAD"});
    assert_int_equal(r.status, 200);
    buffer_free(&r.body);
}

TEST(test_serve__lists_the_allowed_methods_for_the_whole_site)
{
    response r = ask(opened.empty, (request){.target = "*", .method = "OPTIONS"});
    assert_int_equal(r.status, 204);
    assert_string_equal(header_of(&r, "Allow"), "GET, HEAD, POST, OPTIONS");
    buffer_free(&r.body);
}

TEST(test_serve__sends_security_headers_with_every_response)
{
    static const char *const targets[] = {"/", "/api", "/nothing", "/api/status?fen=x", "/api/game?id=1"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        response r = get(opened.full, targets[i]);
        assert_non_null(strstr(header_of(&r, "Content-Security-Policy"), "default-src 'none'"));
        assert_null(strstr(header_of(&r, "Content-Security-Policy"), "unsafe-inline"));
        assert_string_equal(header_of(&r, "X-Content-Type-Options"), "nosniff");
        assert_string_equal(header_of(&r, "Cross-Origin-Resource-Policy"), "same-origin");
        assert_non_null(header_of(&r, "Content-Type"));
        assert_null(header_of(&r, "Access-Control-Allow-Origin"));
        buffer_free(&r.body);
    }
}

TEST(test_serve__lets_pages_of_other_origins_use_files)
{
    response r = get(opened.full, "/tabiya-embed.js");
    assert_string_equal(header_of(&r, "Access-Control-Allow-Origin"), "*");
    assert_string_equal(header_of(&r, "Cross-Origin-Resource-Policy"), "cross-origin");
    buffer_free(&r.body);
}

TEST(test_serve__reports_that_a_file_has_not_changed)
{
    response first = get(opened.empty, "/");
    assert_int_equal(first.status, 200);
    assert_non_null(first.asset);
    assert_string_equal(header_of(&first, "Content-Type"), "text/html;charset=utf-8");
    response again = ask(opened.empty, (request){.target = "/", .if_none_match = first.etag});
    assert_int_equal(again.status, 304);
    assert_null(again.asset);
    assert_int_equal(again.body.n, 0);
    response other = ask(opened.empty, (request){.target = "/", .if_none_match = "\"0\""});
    assert_int_equal(other.status, 200);
    buffer_free(&first.body);
    buffer_free(&again.body);
    buffer_free(&other.body);
}

/* Browsers used to request each of them again on every visit. */
TEST(test_serve__lets_browsers_keep_the_files_that_the_page_links_to)
{
    char target[200], link[100];
    response page = get(opened.empty, "/");
    assert_string_equal(header_of(&page, "Cache-Control"), "no-cache");
    snprintf(link, sizeof link, "src=\"v/%s/start.mjs\"", assets_version);
    char *text = calloc(page.asset->n_bytes + 1, 1);
    memcpy(text, page.asset->bytes, page.asset->n_bytes);
    assert_non_null(strstr(text, link));
    assert_non_null(strstr(text, "href=\"manifest.webmanifest\"")); /* links in the manifest are relative to it */
    free(text);
    for (const asset *a = assets; a->path; a++) {
        snprintf(target, sizeof target, "/v/%s%s", assets_version, a->path);
        response r = get(opened.empty, target);
        const bool is_page = strcmp(a->path, "/") == 0;
        assert_int_equal(r.status, is_page ? 404 : 200);
        assert_true(r.asset == (is_page ? NULL : a));
        if (!is_page)
            assert_string_equal(header_of(&r, "Cache-Control"), "public, max-age=31536000, immutable");
        buffer_free(&r.body);
    }
    /* A page of the previous version gets the current file, but must not cache it. */
    response old = get(opened.empty, "/v/0123456789abcdef/start.mjs");
    assert_int_equal(old.status, 200);
    assert_string_equal(header_of(&old, "Cache-Control"), "no-cache");
    buffer_free(&old.body);
    expect(opened.empty, "/v/0123456789abcdeg/start.mjs", 404, NULL);
    expect(opened.empty, "/v/012/start.mjs", 404, NULL);
    expect(opened.empty, "/v/0123456789abcdef", 404, NULL);
    buffer_free(&page.body);
}

TEST(test_serve__compresses_files_only_for_clients_that_can_decompress)
{
    response plain = get(opened.empty, "/pieces.svg");
    response packed = ask(opened.empty, (request){.target = "/pieces.svg", .accept_encoding = "br, gzip"});
    assert_null(header_of(&plain, "Content-Encoding"));
    assert_false(plain.is_packed);
    assert_int_equal(packed.is_packed, packed.asset->packed != NULL);
    if (packed.is_packed)
        assert_string_equal(header_of(&packed, "Content-Encoding"), "gzip");
    buffer_free(&plain.body);
    buffer_free(&packed.body);
}

TEST(test_serve__refuses_bodies_that_are_too_large)
{
    response r = ask(opened.empty, (request){.target = "/api/convert", .method = "POST", .is_too_large = true});
    assert_int_equal(r.status, 413);
    buffer_free(&r.body);
}

TEST(test_serve__compresses_answers_only_for_clients_that_can_decompress)
{
    static const char *const takers[] = {"gzip", "br, gzip;q=0.5", "GZIP", "*", "deflate , gzip ; q=1"};
    static const char *const others[] = {"",        "br",       "gzip;q=0",           "gzip; q=0.000",
                                         "gzipped", "identity", "br;q=1, gzip;q=0, x"};
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        response r = ask(opened.empty, (request){.target = "/api/notations", .accept_encoding = takers[i]});
        assert_string_equal(header_of(&r, "Content-Encoding"), "gzip");
        assert_memory_equal(r.body.s, "\x1f\x8b", 2);
        buffer_free(&r.body);
        r = ask(opened.empty, (request){.target = "/api", .accept_encoding = takers[i]});
        assert_null(header_of(&r, "Content-Encoding")); /* too short to compress */
        buffer_free(&r.body);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        response r = ask(opened.empty, (request){.target = "/api/notations", .accept_encoding = others[i]});
        if (header_of(&r, "Content-Encoding"))
            fail_msg("%s is packed", others[i]);
        buffer_free(&r.body);
    }
}

/* Otherwise a cache would serve the plain answer to clients that can decompress, and the compressed one to others. */
TEST(test_serve__says_that_plain_answers_might_have_been_compressed)
{
    static const char *const targets[] = {"/api/notations", "/pieces.svg", "/api/explore", "/api/status?fen=x"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        response r = get(opened.full, targets[i]);
        assert_null(header_of(&r, "Content-Encoding"));
        assert_string_equal(header_of(&r, "Vary"), "Accept-Encoding");
        buffer_free(&r.body);
    }
}

TEST(test_serve__answers_below_its_base_path)
{
    problem p = {0};
    site *s = site_new(&(site_options){.base = "/chess"}, &p);
    assert_non_null(s);
    expect(s, "/chess/api", 200, "tabiya");
    expect(s, "/chess/api/status?any=1", 200, "legal_moves");
    expect(s, "/api", 404, "no such path");
    expect(s, "/", 404, "no such path");
    expect(s, "/chessx/api", 404, "no such path");
    expect(s, "/chess//api", 404, "no such path");
    response r = get(s, "/chess/");
    assert_non_null(r.asset);
    buffer_free(&r.body);
    r = get(s, "/chess");
    assert_int_equal(r.status, 308);
    assert_string_equal(header_of(&r, "Location"), "/chess/");
    buffer_free(&r.body);
    assert_int_equal(site_weight(s, &(request){.target = "/chess/api/find?x"}), WEIGHT_HEAVY);
    assert_int_equal(site_weight(s, &(request){.target = "/api/find"}), WEIGHT_NONE);
    site_free(s);
}

TEST(test_serve__answers_to_configured_names_and_origins)
{
    static const char *const hosts[] = {"chess.example.org", NULL}, *const origins[] = {"https://a.example", NULL};
    static const char *const all[] = {"*", NULL};
    problem p = {0};
    site *s = site_new(&(site_options){.hosts = hosts, .origins = origins}, &p);
    assert_non_null(s);
    response r = ask(s, (request){.target = "/api", .host = "Chess.Example.org:443", .origin = "https://a.example"});
    assert_int_equal(r.status, 200);
    assert_string_equal(header_of(&r, "Access-Control-Allow-Origin"), "https://a.example");
    assert_string_equal(header_of(&r, "Vary"), "Accept-Encoding, Origin");
    buffer_free(&r.body);
    r = ask(s, (request){.target = "/api", .host = "chess.example.com"});
    assert_int_equal(r.status, 403);
    buffer_free(&r.body);
    r = ask(s, (request){.target = "/api", .origin = "https://b.example"});
    assert_null(header_of(&r, "Access-Control-Allow-Origin"));
    assert_string_equal(header_of(&r, "Cross-Origin-Resource-Policy"), "same-origin");
    buffer_free(&r.body);
    r = ask(s, (request){.target = "/api/convert", .method = "OPTIONS", .origin = "https://a.example"});
    assert_int_equal(r.status, 204);
    assert_non_null(strstr(header_of(&r, "Access-Control-Allow-Methods"), "POST"));
    assert_non_null(strstr(header_of(&r, "Access-Control-Allow-Headers"), "Authorization"));
    buffer_free(&r.body);
    r = ask(s, (request){.target = "/api/convert", .method = "OPTIONS", .origin = "https://b.example"});
    assert_int_equal(r.status, 405);
    buffer_free(&r.body);
    site_free(s);
    s = site_new(&(site_options){.origins = all}, &p);
    r = ask(s, (request){.target = "/nothing"});
    assert_int_equal(r.status, 404);
    assert_string_equal(header_of(&r, "Access-Control-Allow-Origin"), "*");
    buffer_free(&r.body);
    site_free(s);
}

/* ---- Parameters ------------------------------------------------------------------------------------------ */

TEST(test_serve__reads_query_strings)
{
    params p;
    problem why = {0};
    assert_true(params_read(&p, "&a=1+2%2f3&&b&c=%41=%3d&=x&", &why));
    assert_int_equal(p.n, 4);
    assert_string_equal(params_value(&p, "a"), "1 2/3");
    assert_string_equal(params_value(&p, "b"), "");
    assert_string_equal(params_value(&p, "c"), "A==");
    assert_string_equal(params_value(&p, ""), "x");
    assert_null(params_value(&p, "d"));
    params_free(&p);
    assert_true(params_read(&p, "", &why));
    assert_int_equal(p.n, 0);
    params_free(&p);
}

TEST(test_serve__refuses_malformed_query_strings)
{
    static const char *const queries[] = {"%",   "a=%",   "a=%4",  "a=%4g", "a=%00",        "%00=a",
                                          "a&a", "a=1&a", "a=%zz", "a=%-1", "a=1&b=2&%61=3"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/status?%s", queries[i]);
        expect(opened.empty, target, 400, "{\"error\":\"");
    }
    buffer many = {0};
    buffer_string(&many, "/api/status?");
    for (int i = 0; i <= PARAMS_MAX; i++)
        buffer_printf(&many, "p%d=1&", i);
    buffer_add(&many, "", 1);
    expect(opened.empty, many.s, 400, "more than");
    buffer_free(&many);
}

TEST(test_serve__refuses_unknown_parameters)
{
    expect(opened.empty, "/api?x", 400, "/api has no parameter x");
    expect(opened.empty, "/api/status?fe=8/8", 400, "no parameter fe");
    expect(opened.empty, "/api/status?=1", 400, "no parameter ");
    expect(opened.empty, "/api/status?fen chess960", 400, "no parameter");
    expect(opened.full, "/api/find?where=1", 400, "no parameter where");
    expect(opened.full, "/api/find?query=mate", 400, "/api/find has no parameter query; use q");
    expect(opened.full, "/api/find?year=1858", 400, "use date");
    expect(opened.empty, "/api/convert?q=e4", 400, "/api/convert has no parameter q; use text");
    expect(opened.empty, "/api?query=1", 400, "/api has no parameter query");
    expect(opened.full, "/api/find?threads=9", 400, "no parameter threads");
    expect(opened.empty, "/api/status?any=yes", 400, "any must be 0 or 1");
}

/* ---- Answers without a database -------------------------------------------------------------------------- */

TEST(test_serve__describes_itself)
{
    expect(opened.empty, "/api", 200, "\"database\":null,\"engine\":null}\n");
    expect(opened.full, "/api", 200, "\"database\":\"tabiya-test-");
    expect(opened.empty, "/api/info", 404, "this server has no database");
    expect(opened.empty, "/api/explore", 404, "this server has no database");
    expect(opened.empty, "/api/find", 404, "this server has no database");
    expect(opened.empty, "/api/game?id=1", 404, "this server has no database");
}

/* Calls `visit` for every name that a conversion accepts. */
static void each_notation(void (*visit)(const char *name, const char *text), const char *text)
{
    for (size_t i = 0; tby_position_notation_at(i); i++)
        visit(tby_position_notation_at(i)->name, text);
    for (size_t i = 0; tby_move_notation_at(i); i++)
        visit(tby_move_notation_at(i)->line_name, text);
    for (size_t i = 0; tby_game_notation_at(i); i++)
        visit(tby_game_notation_at(i)->name, text);
}

static void must_name(const char *name, const char *text)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "{\"name\":\"%s\",", name);
    if (!strstr(text, quoted))
        fail_msg("%s is missing", name);
}

static void must_convert(const char *name, const char *text)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":{\"", name);
    const char *found = strstr(text, quoted);
    if (!found || strncmp(strchr(found, ':') + 2, "\"text\":null", 11) == 0)
        fail_msg("%s is missing", name);
}

TEST(test_serve__lists_every_notation)
{
    response r = get(opened.empty, "/api/notations");
    each_notation(must_name, r.body.s);
    buffer_free(&r.body);
}

TEST(test_serve__converts_to_every_notation)
{
    response r = get(opened.empty, "/api/convert?text=1.+e4+e5");
    assert_int_equal(r.status, 200);
    assert_int_equal(strncmp(r.body.s, "{\"from\":\"san\",\"to\":{\"", 21), 0);
    each_notation(must_convert, r.body.s);
    buffer_free(&r.body);
}

TEST(test_serve__converts_positions_lines_and_games)
{
    expect(opened.empty, "/api/convert?text=1.+e4+e5&to=uci,base64-moves", 200,
           "{\"from\":\"san\",\"to\":{\"uci\":{\"text\":\"e2e4 e7e5\",\"errors\":[],\"lost\":[]},"
           "\"base64-moves\":{\"text\":\"0kMc\",\"errors\":[],\"lost\":[]}}}\n");
    expect(opened.empty, "/api/convert?text=e2e4&from=uci&to=fen", 200,
           "\"fen\":{\"text\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"");
    expect(opened.empty, "/api/convert?text=e7e5&start=4k3/4p3/8/8/8/8/8/4K3+b+-+-+0+1&to=san", 200,
           "\"text\":\"1... e5 *\"");
    expect(opened.empty, "/api/convert?text=1.+e4+{good}+e5&from=pgn&to=san", 200, "cannot hold comments");
    expect(opened.empty, "/api/convert?text=1.+e4+{good}+e5&from=pgn&to=san&lossy=1", 200,
           "\"text\":\"1. e4 e5 *\",\"errors\":[],\"lost\":[{\"what\":\"comments\",\"n\":1}]");
}

TEST(test_serve__returns_binary_notations_as_base64)
{
    static const char text[] = "[Event \"?\"]\n\n1. e4 *\n";
    response r =
        ask(opened.empty,
            (request){.target = "/api/convert?to=cmbr", .method = "POST", .body = text, .n_body = strlen(text)});
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(r.body.s, "\"cmbr\":{\"base64\":\""));
    buffer_free(&r.body);
}

TEST(test_serve__reports_what_is_wrong_with_a_text)
{
    expect(opened.empty, "/api/convert?text=1.+e4+e5+2.+Qh6&to=uci", 200,
           "{\"uci\":{\"text\":null,\"errors\":[\"text:1:13: illegal move: \\\"Qh6\\\": ");
    expect(opened.empty, "/api/convert?text=e2e4%0ae2e5&from=uci&to=san", 200,
           "\"text\":\"1. e4 *\\n\",\"errors\":[\"text:2:");
    expect(opened.empty, "/api/convert?text=%ff%fe&from=san&to=uci", 200, "\u00ff\u00fe");
}

TEST(test_serve__refuses_conversions_that_make_no_sense)
{
    expect(opened.empty, "/api/convert", 400, "text is missing");
    expect(opened.empty, "/api/convert?text=", 400, "no notation matches");
    expect(opened.empty, "/api/convert?text=!!", 400, "no notation matches");
    expect(opened.empty, "/api/convert?text=e4&to=klingon", 400, "unknown notation klingon");
    expect(opened.empty, "/api/convert?text=e4&to=uci,,fen", 400, "unknown notation");
    expect(opened.empty, "/api/convert?text=e4&from=klingon", 400, "klingon");
    expect(opened.empty, "/api/convert?text=e4&from=svg", 400, "or one that cannot be read");
    expect(opened.empty, "/api/convert?text=e4&start=8/8", 400, "fen: field 1");
    expect(opened.empty, "/api/convert?text=e4&start=8/8/8/8/8/8/8/8+w+-+-+0+1", 400, "not a legal position");
    response r = ask(opened.empty, (request){.target = "/api/convert?text=e4", .method = "POST"});
    assert_int_equal(r.status, 400);
    buffer_free(&r.body);
    r = ask(opened.empty, (request){.target = "/api/convert", .method = "POST"});
    assert_int_equal(r.status, 400);
    buffer_free(&r.body);
}

static void post(const char *target, const char *body, unsigned status, const char *piece)
{
    response r = ask(opened.empty, (request){.target = target, .method = "POST", .body = body, .n_body = strlen(body)});
    if (r.status != status || !strstr(r.body.s, piece))
        fail_msg("%s: %u %s", body, r.status, r.body.s);
    buffer_free(&r.body);
}

/* It was once read as a game in JSON without moves. */
TEST(test_serve__accepts_a_json_object_as_parameters)
{
    post("/api/convert", "{\"text\":\"1. e4\",\"to\":\"uci\"}", 200,
         "{\"from\":\"san\",\"to\":{\"uci\":{\"text\":\"e2e4\",");
    post("/api/convert?to=uci", " { \"text\" : \"1. e4\" , \"lossy\" : true , \"chess960\":0 } \n", 200, "\"e2e4\"");
    post("/api/convert", "{\"to\":\"json\",\"text\":\"1. e4 {\\u00e9\\ud83d\\ude00\\n\\\"}\"}", 200,
         "\xc3\xa9\xf0\x9f\x98\x80\\\\n\\\\\\\"");
    post("/api/convert", "{\"text\":\"1. e4\",\"two\":\"uci\"}", 400, "no parameter two");
    post("/api/convert?to=uci", "{\"text\":\"1. e4\",\"to\":\"fen\"}", 400, "to is given twice");
    post("/api/convert?text=e4", "{\"text\":\"1. e4\"}", 400, "text is given twice");
    post("/api/convert?to=uci", "{\"tags\":[[\"Event\",\"A\"]],\"moves\":[\"e4\"]}", 200, "\"from\":\"json\"");
    static const char *const broken[] = {"{\"text\":\"1. e4\"",    "{\"text\":\"1. e4\"}}", "{\"text\":\"\\u0000\"}",
                                         "{\"text\":\"\\ud83d\"}", "{\"text\":\"\\x\"}",    "{\"text\":[1]}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        response r = ask(opened.empty, (request){.target = "/api/convert?to=uci",
                                                 .method = "POST",
                                                 .body = broken[i],
                                                 .n_body = strlen(broken[i])});
        assert_null(strstr(r.body.s, "e2e4"));
        buffer_free(&r.body);
    }
}

TEST(test_serve__limits_the_size_of_a_conversion)
{
    buffer text = {0};
    while (text.n < REQUEST_BODY_MAX - 100)
        buffer_string(&text, START_FEN "\n");
    response r = ask(opened.empty,
                     (request){.target = "/api/convert?to=svg", .method = "POST", .body = text.s, .n_body = text.n});
    assert_int_equal(r.status, 413);
    buffer_free(&r.body);
    buffer_free(&text);
}

TEST(test_serve__reports_the_status_of_a_position)
{
    expect(opened.empty, "/api/status", 200, "\"legal_moves\":20");
    expect(opened.empty, "/api/status?fen=startpos", 200, "\"legal_moves\":20");
    expect(opened.empty, "/api/status?fen=4k3/8/8/8/8/8/4R3/4K3+w+-+-+0+1", 200, "\"name\":\"OPPONENT_CHECK\"");
    expect(opened.empty, "/api/status?fen=x", 400, "fen: field 1");
}

TEST(test_serve__has_no_more_notations_than_there_are)
{
    char target[512] = "/api/convert?text=e4&to=";
    for (int i = 0; i < 33; i++)
        strcat(target, "uci,");
    expect(opened.empty, target, 400, "to has more than 32 notations");
    snprintf(target, sizeof target, "/api/convert?text=e4&to=%0120d", 1);
    expect(opened.empty, target, 400, "unknown notation 0000");
    expect(opened.empty, "/api/convert?text=e4&to=uci&chess960=2", 400, "chess960 must be 0 or 1");
    expect(opened.empty, "/api/convert?text=e4&to=uci&lossy=x", 400, "lossy must be 0 or 1");
    expect(opened.empty, "/api/convert?text=1.+O-O&from=san&to=uci&chess960=1&start=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1",
           200, "\"e1h1\"");
    expect(opened.empty, "/api/convert?text=e4%0d%0ad4&from=san&to=uci", 200, "e2e4\\nd2d4");
    expect(opened.empty, "/api/status?chess960=x", 400, "chess960 must be 0 or 1");
    expect(opened.empty, "/api/status?fen=8/8/8/8/8/8/8/K6k&chess960=1", 200, "legal_moves");
}
int main(void) { return tests_run(set_up, tear_down); }

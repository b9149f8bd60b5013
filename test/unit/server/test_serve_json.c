/*
 * test_serve_json.c - JSON objects as parameters: what is accepted, what it means, and what is refused.
 */
#include "support.h"

#include "server.h"

/* The value of x in a text; NULL if the text is refused. */
static const char *value_in(const char *text, size_t n)
{
    static char value[256];
    params p = {.n = 0};
    problem why = {0};
    const bool is_good = params_add_json(&p, (span){text, n}, &why);
    assert_int_equal(is_good, why.status == 0);
    if (is_good)
        snprintf(value, sizeof value, "%s", params_value(&p, "x") ? params_value(&p, "x") : "none");
    params_free(&p);
    return is_good ? value : NULL;
}

TEST(test_serve_json__values_mean_what_they_should)
{
    static const struct {
        const char *text, *value;
    } good[] = {
        {"{}", "none"},
        {" \t\r\n{ } \n", "none"},
        {"{\"x\":\"\"}", ""},
        {"{ \"x\" : \"a b\" }", "a b"},
        {"{\"y\":\"1\",\"x\":12}", "12"},
        {"{\"x\":true}", "1"},
        {"{\"x\": false ,\"y\":0}", "0"},
        {"{\"x\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", "\"\\/\b\f\n\r\t"},
        {"{\"x\":\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"}", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"{\"\\u0078\":\"named\"}", "named"},
        {"{\"x\":\"\xc3\xa9\"}", "\xc3\xa9"},
        {"{\"x\":\"\\u0001\"}", "\1"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *value = value_in(good[i].text, strlen(good[i].text));
        if (!value || strcmp(value, good[i].value) != 0)
            fail_msg("%s: %s", good[i].text, value ? value : "refused");
    }
}

TEST(test_serve_json__other_texts_are_refused)
{
    static const char *const bad[] = {
        "",
        " ",
        "[]",
        "x",
        "{",
        "{\"",
        "{\"x",
        "{\"x\"",
        "{\"x\"}",
        "{\"x\":",
        "{\"x\":}",
        "{\"x\":01}",
        "{\"x\":00}",
        "{\"x\":-0}",
        "{\"x\":\"",
        "{\"x\":\"a",
        "{\"x\":\"a\"",
        "{\"x\":\"a\",",
        "{\"x\":\"a\",}",
        "{\"x\":\"a\"}}",
        "{\"x\":\"a\"} b",
        "{x:1}",
        "{\"x\":null}",
        "{\"x\":-1}",
        "{\"x\":1.5}",
        "{\"x\":{}}",
        "{\"x\":[1]}",
        "{\"x\":truth}",
        "{\"x\":1 \"y\":2}",
        "{\"x\":1,\"x\":2}",
        "{\"x\":\"\n\"}",
        "{\"x\":\"\\",
        "{\"x\":\"\\x\"}",
        "{\"x\":\"\\u\"}",
        "{\"x\":\"\\u12\"}",
        "{\"x\":\"\\u12g4\"}",
        "{\"x\":\"\\u123",
        "{\"x\":\"\\u0000\"}",
        "{\"x\":\"\\ud83d\"}",
        "{\"x\":\"\\ud83d",
        "{\"x\":\"\\ud83dab\"}",
        "{\"x\":\"\\ud83d\\n\"}",
        "{\"x\":\"\\ud83d\\u\"}",
        "{\"x\":\"\\ud83d\\u0041\"}",
        "{\"x\":\"\\ud83d\\ue000\"}",
        "{\"x\":\"\\ude00\"}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (value_in(bad[i], strlen(bad[i])))
            fail_msg("%s is taken", bad[i]);
    assert_null(value_in("{\"x\":\"a\0b\"}", 11)); /* a raw NUL */
    assert_null(value_in("{\"x\":\"\\\0\"}", 10));
    assert_null(value_in("{\0}", 3));
}

/* Every prefix of a text is refused, and not read beyond its end. */
TEST(test_serve_json__a_truncated_text_is_refused)
{
    static const char whole[] = "{\"x\":\"\\ud83d\\ude00 \\n\",\"y\":12,\"z\":false}";
    for (size_t n = 0; n < strlen(whole); n++) {
        char *copy = malloc(n ? n : 1);
        assert_non_null(copy);
        memcpy(copy, whole, n);
        if (value_in(copy, n))
            fail_msg("%.*s is taken", (int)n, whole);
        free(copy);
    }
    assert_non_null(value_in(whole, strlen(whole)));
}

TEST(test_serve_json__there_are_no_more_parameters_than_space)
{
    buffer text = {0};
    buffer_string(&text, "{");
    for (int i = 0; i < PARAMS_MAX; i++)
        buffer_printf(&text, "%s\"p%d\":%d", i ? "," : "", i, i);
    buffer_string(&text, "}");
    assert_string_equal(value_in(text.s, text.n), "none");
    text.n--;
    buffer_string(&text, ",\"x\":1}");
    assert_null(value_in(text.s, text.n));
    buffer_free(&text);
}

int main(void) { return tests_run(NULL, NULL); }

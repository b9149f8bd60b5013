/*
 * answers.c - runs test/sql/answers.tsv on SQLite, with the extension loaded as any program would:
 *
 *     answers EXTENSION ANSWERS.tsv
 *
 * The last line is "N passed, N failed".
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of an expression, in the notation of the file. */
static char *answer_of(sqlite3 *db, const char *expression)
{
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT %s", expression), *answer;
    int status = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_step(statement);
    if (status != SQLITE_ROW)
        answer = sqlite3_mprintf("error: %s", sqlite3_errmsg(db));
    else if (sqlite3_column_type(statement, 0) == SQLITE_NULL)
        answer = sqlite3_mprintf("NULL");
    else
        answer = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return answer;
}

static bool agrees(const char *answer, const char *expected)
{
    if (strncmp(expected, "error: ", 7) == 0)
        return strncmp(answer, "error: ", 7) == 0 && strstr(answer + 7, expected + 7);
    if (strcmp(expected, "true") == 0 || strcmp(expected, "false") == 0)
        return strcmp(answer, expected[0] == 't' ? "1" : "0") == 0;
    /* JSON and PGN end with line feeds, which a line of the file cannot contain. */
    const size_t n = strlen(expected);
    return strncmp(answer, expected, n) == 0 && answer[n + strspn(answer + n, "\n")] == '\0';
}

static sqlite3 *open_database(const char *extension)
{
    sqlite3 *db;
    char *message = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        exit(2);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    if (sqlite3_load_extension(db, extension, NULL, &message) != SQLITE_OK) {
        fprintf(stderr, "%s\n", message);
        exit(2);
    }
    return db;
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    int passed = 0, failed = 0;
    if (!file) {
        fprintf(stderr, "answers EXTENSION ANSWERS.tsv\n");
        return 2;
    }
    sqlite3 *db = open_database(argv[1]);
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        line[strcspn(line, "\n")] = '\0';
        if (!tab || line[0] == '#')
            continue;
        *tab = '\0';
        char *answer = answer_of(db, line);
        const bool is_right = agrees(answer, tab + 1);
        if (!is_right)
            printf("%s\n    expected %s\n    answered %s\n", line, tab + 1, answer);
        *(is_right ? &passed : &failed) += 1;
        sqlite3_free(answer);
    }
    fclose(file);
    sqlite3_close(db);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}

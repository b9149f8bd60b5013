/*
 * test_file.c - the seam to the operating system: files, folders, locks and replacing.
 */
#include "support.h"

#include "os/folder.h"
#include "os/replace.h"
#include "os/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;

static int set_up(void **state)
{
    (void)state;
    folder = os_temporary_folder();
    return folder == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    const bool is_gone = os_folder_remove(folder);
    free(folder);
    return !is_gone; /* every test removes its files */
}

/* A path in the folder, in one of four places. */
static const char *in_folder(const char *name)
{
    static char paths[4][1024];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    const int file = os_open(path, OS_WRITE | OS_CREATE | OS_EMPTY, 0600);
    assert_true(file >= 0);
    assert_int_equal(os_write(file, text, strlen(text)), (int)strlen(text));
    assert_true(os_close(file));
}

static void expect_text(const char *path, const char *text)
{
    char bytes[64] = "";
    const int file = os_open(path, OS_READ, 0);
    assert_true(file >= 0);
    assert_true(os_read(file, bytes, sizeof bytes - 1) >= 0);
    assert_string_equal(bytes, text);
    os_close(file);
}

/* On some systems st_ino is 0 for every file. */
TEST(test_file__two_files_are_not_the_same_and_one_by_two_paths_is)
{
    os_about a, b, again, open;
    char path[1024];
    write_text(in_folder("a"), "same");
    write_text(in_folder("b"), "same");
    assert_true(os_about_path(&a, in_folder("a")) && os_about_path(&b, in_folder("b")));
    assert_false(os_is_same(&a.identity, &b.identity));
    snprintf(path, sizeof path, "%s/../%s/a", folder, os_name_in_path(folder));
    assert_true(os_about_path(&again, path));
    assert_true(os_is_same(&a.identity, &again.identity));
    const int file = os_open(in_folder("a"), OS_READ, 0);
    assert_true(os_about_open(&open, file));
    assert_true(os_is_same(&a.identity, &open.identity));
    assert_int_equal(a.kind, OS_FILE);
    assert_int_equal(a.size, 4);
    os_close(file);
    assert_true(os_remove(in_folder("a")) && os_remove(in_folder("b")));
}

TEST(test_file__bytes_are_kept_as_they_are)
{
    static const char bytes[] = "a\r\nb\n\x1a"
                                "c";
    char got[sizeof bytes] = "";
    write_text(in_folder("bytes"), bytes);
    FILE *stream = os_open_stream(in_folder("bytes"), "r");
    assert_int_equal(fread(got, 1, sizeof got, stream), sizeof bytes - 1);
    assert_memory_equal(got, bytes, sizeof bytes - 1);
    fclose(stream);
    assert_true(os_remove(in_folder("bytes")));
}

TEST(test_file__names_in_utf8_and_with_blanks)
{
    static const char name[] = "B\xc3\xa4r \xe6\xa3\x8b.pgn";
    const os_entry *entry;
    write_text(in_folder(name), "x");
    assert_true(os_is_file(in_folder(name)));
    os_list *list = os_list_open(folder);
    assert_non_null(list);
    assert_non_null(entry = os_list_next(list));
    assert_string_equal(entry->name, name);
    assert_int_equal(entry->kind, OS_FILE);
    assert_null(os_list_next(list));
    os_list_close(list);
    assert_true(os_remove(in_folder(name)));
}

TEST(test_file__paths_of_more_than_260_characters)
{
    char path[1024], *parts[8];
    int n = 0;
    snprintf(path, sizeof path, "%s", folder);
    for (; n < 8; n++) {
        strcat(path, "/0123456789012345678901234567890123456789");
        assert_true(os_folder_make(path));
        parts[n] = strdup(path);
    }
    strcat(path, "/file");
    assert_true(strlen(path) > 300);
    write_text(path, "deep");
    expect_text(path, "deep");
    char *full = os_full_path(path);
    assert_non_null(full);
    expect_text(full, "deep");
    free(full);
    assert_true(os_remove(path));
    while (n-- > 0) {
        assert_true(os_folder_remove(parts[n]));
        free(parts[n]);
    }
}

TEST(test_file__a_file_is_replaced)
{
    write_text(in_folder("old"), "old");
    write_text(in_folder("new"), "new");
    assert_true(os_replace(in_folder("new"), in_folder("old")));
    expect_text(in_folder("old"), "new");
    assert_false(os_is_file(in_folder("new")));
    assert_true(os_remove(in_folder("old")));
}

TEST(test_file__a_part_that_is_being_written_is_not_removed)
{
    char part[1024];
    snprintf(part, sizeof part, "%s", in_folder("part.XXXXXX"));
    const int file = os_part_make(part, NULL);
    assert_true(file >= 0);
    os_part_remove(part, false);
    assert_true(os_is_file(part));
    os_close(file);
    os_part_remove(part, false);
    assert_false(os_is_file(part));
}

TEST(test_file__one_lock_at_a_time)
{
    const char *path = in_folder("locked");
    const int first = os_open(path, OS_WRITE | OS_CREATE, 0600), second = os_open(path, OS_WRITE, 0);
    assert_true(os_lock_open(first));
    assert_false(os_lock_open(second));
    assert_int_equal(errno, EAGAIN);
    assert_true(os_write_at(first, "read", 4, 0)); /* by others, though it is locked */
    expect_text(path, "read");
    os_close(first);
    assert_true(os_lock_open(second));
    os_close(second);
    assert_true(os_remove(path));
}

TEST(test_file__errors_have_their_numbers)
{
    assert_int_equal(os_open(in_folder("missing"), OS_READ, 0), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(os_open(in_folder("no/such/folder"), OS_WRITE | OS_CREATE, 0600), -1);
    assert_int_equal(errno, ENOENT);
    write_text(in_folder("there"), "");
    assert_int_equal(os_open(in_folder("there"), OS_WRITE | OS_CREATE | OS_NEW, 0600), -1);
    assert_int_equal(errno, EEXIST);
    assert_true(os_remove(in_folder("there")));
    assert_false(os_folder_make(folder));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(os_open(folder, OS_WRITE, 0), -1);
    assert_int_equal(errno, EISDIR);
}

TEST(test_file__bytes_at_any_place)
{
    char got[4] = "";
    const int file = os_temporary_file(NULL);
    assert_true(file >= 0);
    assert_true(os_write_at(file, "abc", 3, (uint64_t)5 << 30));
    assert_true(os_read_at(file, got, 3, (uint64_t)5 << 30));
    assert_string_equal(got, "abc");
    assert_true(os_truncate(file, 2));
    assert_false(os_read_at(file, got, 3, 0));
    os_close(file);
}

int main(void) { return tests_run(set_up, tear_down); }

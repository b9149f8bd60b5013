/*
 * picture.c - converts a board to PNG: passes the SVG document to rsvg-convert, the program of librsvg.
 *
 * It uses the program, not the library: librsvg depends on some thirty shared libraries, which every command would
 * load at its start, and only `tabiya show --png` needs them.
 */
#include "picture.h"

#include "console.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Writes the document to an unnamed file, so that the converter can read and write in any order. */
static FILE *document_file(const char *svg, size_t n)
{
    FILE *f = tmpfile();
    if (!f || fwrite(svg, 1, n, f) != n || fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0)
        error_exit("show: cannot write a temporary file: %s", strerror(errno));
    return f;
}

static int start_converter(pid_t *pid, FILE *document, const int pipe_ends[2])
{
    char *const arguments[] = {"rsvg-convert", "--format=png", NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    if (!(error = posix_spawn_file_actions_adddup2(&actions, fileno(document), STDIN_FILENO)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO)) &&
        !(error = posix_spawn_file_actions_addclose(&actions, pipe_ends[0])) &&
        !(error = posix_spawn_file_actions_addclose(&actions, pipe_ends[1])))
        error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void read_all(buffer *out, int from)
{
    enum { AT_ONCE = 1 << 16 };
    for (;;) {
        char *room = buffer_room(out, AT_ONCE);
        const ssize_t n = room ? read(from, room, AT_ONCE) : 0;
        if (n > 0)
            out->n += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return;
    }
}

void picture_write_png(buffer *out, const char *svg, size_t n)
{
    int pipe_ends[2], status = -1;
    pid_t pid;
    FILE *document = document_file(svg, n);
    if (pipe(pipe_ends) != 0)
        error_exit("show: cannot create a pipe: %s", strerror(errno));
    const int error = start_converter(&pid, document, pipe_ends);
    if (error)
        error_exit("show: --png needs the program rsvg-convert (%s); on Debian, install librsvg2-bin; or use --svg",
                   strerror(error));
    close(pipe_ends[1]);
    read_all(out, pipe_ends[0]);
    close(pipe_ends[0]);
    fclose(document);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || out->n == 0)
        error_exit("show: rsvg-convert failed; use --svg instead");
}

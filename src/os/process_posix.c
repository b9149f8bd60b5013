/*
 * process_posix.c - other programs, with posix_spawn and pipes.
 */
#include "os/process.h"
#include "os/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NICENESS = 5 };

extern char **environ;

struct os_process {
    pid_t pid;
    int in, out; /* of the program */
};

/* ---- Starting ------------------------------------------------------------------------------------------- */

/* The parent keeps its own ends of the pipes; in the child, all but its two ends are closed. */
static bool open_pipes(int to[2], int from[2])
{
    if (pipe(to) != 0)
        return false;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(to[i], F_SETFD, FD_CLOEXEC);
        fcntl(from[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static int spawn(pid_t *pid, const char *program, int in, int out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    char *const arguments[] = {(char *)program, NULL};
    if (strchr(program, '/') && access(program, X_OK) != 0) /* posix_spawn does not report failures on every system */
        return errno;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGINT);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0); /* only we get Ctrl-C, and the whole group can be killed at once */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    error = error ? error : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = error ? error : posix_spawnp(pid, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* One at a time, so that no child inherits the pipes of another. Returns 0 or an errno. */
static int start_child(os_process *p, const char *program)
{
    static os_mutex lock = OS_MUTEX_INIT;
    int to[2], from[2];
    os_mutex_lock(&lock);
    const bool has_pipes = open_pipes(to, from);
    const int error = has_pipes ? spawn(&p->pid, program, to[0], from[1]) : errno;
    os_mutex_unlock(&lock);
    if (has_pipes) {
        close(to[0]);
        close(from[1]);
        p->in = to[1];
        p->out = from[0];
        fcntl(p->in, F_SETFL, O_NONBLOCK);
        fcntl(p->out, F_SETFL, O_NONBLOCK);
    }
    if (error) /* posix_spawn may have set the number of a child that is gone */
        p->pid = -1;
    return error;
}

os_process *os_process_start(const char *program)
{
    os_process *p = malloc(sizeof *p);
    if (!p) {
        errno = ENOMEM;
        return NULL;
    }
    *p = (os_process){.pid = -1, .in = -1, .out = -1};
    const int error = start_child(p, program);
    if (!error) {
        setpriority(PRIO_PROCESS, (id_t)p->pid, NICENESS);
        return p;
    }
    os_process_end(p);
    errno = error;
    return NULL;
}

void os_process_limit_memory(os_process *p, unsigned mebibytes)
{
#ifdef __linux__
    const struct rlimit most = {(rlim_t)mebibytes << 20, (rlim_t)mebibytes << 20};
    prlimit(p->pid, RLIMIT_DATA, &most, NULL);
#else
    (void)p;
    (void)mebibytes;
#endif
}

void os_process_end(os_process *p)
{
    if (!p)
        return;
    if (p->in >= 0)
        close(p->in);
    if (p->out >= 0)
        close(p->out);
    if (p->pid > 0) {
        kill(-p->pid, SIGKILL);
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(p);
}

/* ---- Talking -------------------------------------------------------------------------------------------- */

static bool is_ready(int file, short events, int milliseconds)
{
    struct pollfd ready = {.fd = file, .events = events};
    if (poll(&ready, 1, milliseconds) > 0)
        return true;
    errno = EAGAIN;
    return false;
}

/* The program ignores SIGPIPE. */
ptrdiff_t os_process_write(os_process *p, const void *bytes, size_t n, int milliseconds)
{
    ssize_t written;
    do
        written = is_ready(p->in, POLLOUT, milliseconds) ? write(p->in, bytes, n) : -1;
    while (written < 0 && errno == EINTR);
    return written;
}

ptrdiff_t os_process_read(os_process *p, void *to, size_t n, int milliseconds)
{
    const ssize_t got = is_ready(p->out, POLLIN, milliseconds) ? read(p->out, to, n) : -1;
    if (got < 0 && errno == EINTR)
        errno = EAGAIN;
    return got;
}

/* ---- Others --------------------------------------------------------------------------------------------- */

static int start_filter(pid_t *pid, const char *const *arguments, FILE *in, FILE *out)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    if (!(error = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO)))
        error = posix_spawnp(pid, arguments[0], &actions, NULL, (char *const *)(void *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int os_run(const char *const *arguments, FILE *in, FILE *out)
{
    int status = -1;
    pid_t pid;
    errno = start_filter(&pid, arguments, in, out);
    if (errno)
        return -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    errno = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static FILE *pager;

/* The pager ends when its input does. */
static void end_pager(void)
{
    fflush(stdout);
    close(STDOUT_FILENO);
    pclose(pager);
}

/* If the pager cannot run, the text is copied unchanged. */
bool os_page_output(const char *usual)
{
    char line[512];
    const char *program = getenv("PAGER");
    if (snprintf(line, sizeof line, "%s 2>/dev/null || cat", program ? program : usual) >= (int)sizeof line)
        return false;
    pager = popen(line, "w");
    if (!pager || dup2(fileno(pager), STDOUT_FILENO) < 0)
        return false;
    atexit(end_pager);
    return true;
}

unsigned long os_process_number(void) { return (unsigned long)getpid(); }

bool os_open_in_browser(const char *url)
{
#ifdef __APPLE__
    char *const arguments[] = {"open", (char *)url, NULL};
#else
    /* It may last as long as the browser. */
    char *const arguments[] = {"sh", "-c", "command -v xdg-open && (xdg-open \"$1\" &)", "sh", (char *)url, NULL};
#endif
    pid_t pid;
    int status;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    const bool is_started = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                            posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!is_started)
        return false;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

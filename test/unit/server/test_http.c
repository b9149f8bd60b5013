/*
 * test_http.c - the time limit of a request: a connection over a socket pair, without an event loop.
 */
#include "support.h"

#include "http.h"
#include "os/clock.h"

#include <sys/socket.h>
#include <unistd.h>

enum { MILLISECONDS = 60000, SOON = 1 };

typedef struct peer {
    server server;
    connection c;
    int fd; /* the client's end */
} peer;

static peer peer_new(void)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    return (peer){.server = {.milliseconds = MILLISECONDS}, .c = {.socket = fds[0]}, .fd = fds[1]};
}

static void peer_free(peer *p)
{
    close(p->fd);
    close(p->c.socket);
    buffer_free(&p->c.in);
    buffer_free(&p->c.text);
    buffer_free(&p->c.body);
}

/* The deadline of a request after the server receives this text, if the previous deadline was close. */
static int64_t deadline_after(peer *p, const char *text)
{
    p->c.deadline = SOON;
    assert_int_equal(write(p->fd, text, strlen(text)), (ssize_t)strlen(text));
    http_receive(&p->server, &p->c);
    return p->c.deadline;
}

/* The time limit used to start with the connection, or with the end of the previous request: a request that came late
   was refused because of "too many" others, although there were none. */
TEST(test_http__a_request_has_its_full_time_however_late_it_comes)
{
    peer p = peer_new();
    const int64_t began = clock_milliseconds();
    assert_true(deadline_after(&p, "G") >= began + MILLISECONDS);
    peer_free(&p);
}

TEST(test_http__later_bytes_do_not_extend_the_time_of_a_request)
{
    static const char *const pieces[] = {"\r",   "\n", "GET / HT", "TP/1.1\r\n", "Host: a\r\nContent-Length: 9\r\n",
                                         "\r\n", "1",  "2"};
    peer p = peer_new();
    deadline_after(&p, pieces[0]);
    for (size_t i = 1; i < sizeof pieces / sizeof *pieces; i++)
        assert_int_equal(deadline_after(&p, pieces[i]), SOON);
    assert_int_equal(p.c.phase, READING_BODY);
    assert_int_equal(p.c.body.n, 2);
    peer_free(&p);
}

int main(void) { return tests_run(NULL, NULL); }

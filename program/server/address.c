/*
 * address.c - addresses: who sends a request, and where the server listens.
 */
#include "address.h"
#include "os/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Clients ---------------------------------------------------------------------------------------------------- */

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff}; /* the prefix of IPv4 addresses */

static bool is_v4(const client *c) { return memcmp(c->address, mapped, sizeof mapped) == 0; }

static client client_of(const os_address *a)
{
    client c = {{0}};
    if (a->is_v6) {
        memcpy(c.address, a->bytes, sizeof c.address);
    } else {
        memcpy(c.address, mapped, sizeof mapped);
        memcpy(c.address + sizeof mapped, a->bytes, sizeof c.address - sizeof mapped);
    }
    return c;
}

client client_of_socket(os_socket socket)
{
    os_address peer;
    return os_peer(&peer, socket) ? client_of(&peer) : (client){{0}};
}

bool client_read_forwarded(client *out, const char *value)
{
    const char *comma = strrchr(value, ',');
    os_address a;
    value = comma ? comma + 1 : value;
    value += strspn(value, " \t");
    if (!os_address_read(&a, value))
        return false;
    *out = client_of(&a);
    return true;
}

bool client_is_same(const client *a, const client *b)
{
    enum { NETWORK_BYTES = 8 };
    return memcmp(a->address, b->address, is_v4(a) ? sizeof a->address : NETWORK_BYTES) == 0;
}

void client_write(char out[CLIENT_SIZE], const client *c)
{
    os_address a = {.is_v6 = !is_v4(c)};
    if (a.is_v6)
        memcpy(a.bytes, c->address, sizeof c->address);
    else
        memcpy(a.bytes, c->address + sizeof mapped, sizeof c->address - sizeof mapped);
    if (!os_address_write(out, &a))
        strcpy(out, "-");
}

/* ---- Listening -------------------------------------------------------------------------------------------------- */

/* As requested, with the actual port. */
static void note_address(listening *out, const os_address *a, const char *s)
{
    snprintf(out->url, sizeof out->url, a->is_v6 ? "http://[%s]:%u/" : "http://%s:%u/", s, a->port);
    out->is_open = !os_address_is_loopback(a);
}

/* How many descriptors were passed to this process: 0 if they are another one's. */
static uint64_t count_passed(void)
{
    const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");
    uint64_t process, count = 0;
    if (!pid || !n || !digits_read(&process, pid, INT32_MAX) || process != os_process_number() ||
        !digits_read(&count, n, INT32_MAX))
        return 0;
    return count;
}

os_socket listen_on_passed(listening *out, bool *is_passed, problem *p)
{
    os_address a;
    char shown[OS_ADDRESS_SIZE];
    const uint64_t count = count_passed();
    *is_passed = count > 0;
    if (count == 0)
        return OS_NO_SOCKET;
    const os_socket socket = count > 1 ? OS_NO_SOCKET : os_listen_on_passed(&a);
    if (socket == OS_NO_SOCKET || !os_address_write(shown, &a)) {
        problem_set(p, PROBLEM_ASKED, "LISTEN_FDS must pass one TCP socket that listens");
        return OS_NO_SOCKET;
    }
    note_address(out, &a, shown);
    return socket;
}

os_socket listen_on(listening *out, const char *s, unsigned port, problem *p)
{
    os_address a;
    if (!os_address_read(&a, s)) {
        problem_set(p, PROBLEM_ASKED, "--bind must be an address in numbers such as 127.0.0.1 or ::1, not \"%s\"", s);
        return OS_NO_SOCKET;
    }
    a.port = port;
    const os_socket socket = os_listen(&a);
    if (socket == OS_NO_SOCKET)
        problem_set(p, PROBLEM_BROKEN, "cannot listen on %s, port %u: %s", s, port, os_socket_error());
    else
        note_address(out, &a, s);
    return socket;
}

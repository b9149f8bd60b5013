/*
 * address.h - addresses: who sends a request (the other side of a connection, or what a proxy reports), and where the
 * server listens.
 */
#ifndef TABIYA_SERVER_ADDRESS_H
#define TABIYA_SERVER_ADDRESS_H

#include "os/socket.h"
#include "problem.h"

enum { CLIENT_SIZE = 48 };

typedef struct client {
    unsigned char address[16]; /* IPv6; IPv4 is ::ffff:1.2.3.4 */
} client;

/* The other side of a socket; all zeros if the system does not say. */
client client_of_socket(os_socket socket);
/* The last address in X-Forwarded-For, which is the one seen by the nearest proxy. False if it is not an address. */
bool client_read_forwarded(client *out, const char *value);
/* Do both count as one client? A /64 IPv6 network does. */
bool client_is_same(const client *a, const client *b);
void client_write(char out[CLIENT_SIZE], const client *c);

typedef struct listening {
    char url[128];
    bool is_open; /* other machines can connect */
} listening;

/* OS_NO_SOCKET after a problem. `address` is numeric; port 0 means any free port. */
os_socket listen_on(listening *out, const char *address, unsigned port, problem *p);
/* The same for a socket that whoever started the program is already listening on, as systemd's socket units do
   (sd_listen_fds(3)): then `*is_passed` is true, and address and port are the socket's own. */
os_socket listen_on_passed(listening *out, bool *is_passed, problem *p);

#endif

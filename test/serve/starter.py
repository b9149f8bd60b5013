"""starter.py - restarts tabiya serve on a socket that stays open, as systemd's socket units do, while clients ask.

    starter.py PROGRAM DATABASE [RESTARTS]

Starts the program with LISTEN_FDS, sends requests from several threads, each on a new or a kept connection, and restarts
the program meanwhile. Fails if a request is not answered with 200.
"""
import http.client
import os
import signal
import socket
import sys
import threading
import time

CLIENTS = 4


def start(program, database, listener):
    """The process: descriptor 3 is the socket, and LISTEN_PID its own number."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
    os.execv(program, [program, "serve", database])


def stop(pid):
    os.kill(pid, signal.SIGTERM)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Client(threading.Thread):
    """Asks until is_over is set. A kept connection that the server has closed is opened again, as HTTP demands."""

    def __init__(self, port, keeps):
        super().__init__(daemon=True)
        self.port, self.keeps = port, keeps
        self.is_over = threading.Event()
        self.n_answers = 0
        self.faults = []

    def run(self):
        connection = None
        while not self.is_over.is_set():
            is_new = connection is None
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            try:
                connection.request("GET", "/api/find?count=1")
                answer = connection.getresponse()
                body = answer.read()
                if answer.status != 200:
                    self.faults.append(f"{answer.status} {body!r}")
                self.n_answers += 1
                if not self.keeps or answer.will_close:
                    connection.close()
                    connection = None
            except OSError as error:
                connection.close()
                connection = None
                if is_new:
                    self.faults.append(repr(error))
            except http.client.HTTPException as error:
                connection.close()
                connection = None
                if is_new:
                    self.faults.append(repr(error))
            time.sleep(0.002)


def wait_for(clients, n):
    """Until each has had n more answers."""
    wanted = [client.n_answers + n for client in clients]
    last = time.monotonic() + 20
    while any(client.n_answers < least for client, least in zip(clients, wanted)):
        if time.monotonic() > last:
            sys.exit("the server does not answer")
        time.sleep(0.01)


def main():
    program, database = sys.argv[1:3]
    restarts = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    clients = [Client(listener.getsockname()[1], i % 2 == 1) for i in range(CLIENTS)]
    server = start(program, database, listener)
    codes = []
    for client in clients:
        client.start()
    for _ in range(restarts):
        wait_for(clients, 5)
        codes.append(stop(server))
        server = start(program, database, listener)
    wait_for(clients, 5)
    for client in clients:
        client.is_over.set()
    for client in clients:
        client.join()
    codes.append(stop(server))
    faults = [fault for client in clients for fault in client.faults]
    print(f"{sum(client.n_answers for client in clients)} answers, {len(faults)} failures, exit codes {sorted(set(codes))}")
    for fault in faults[:10]:
        print(fault)
    sys.exit(1 if faults or set(codes) != {0} else 0)


main()

"""clients.py - malicious clients against a server on 127.0.0.1: clients.py PORT TEST PROCESS

The server uses games.db in this folder; clients.sh has started it with a --timeout that depends on the test. Every test ends
by checking that it still answers.
"""
import json
import os
import resource
import socket
import sqlite3
import sys
import threading
import time

PORT = int(sys.argv[1])
HOST = b"Host: localhost\r\n"
# How many seconds a client waits. `many` does not test speed: the last of a thousand may wait long on a busy machine.
PATIENCE = 600 if sys.argv[2] == "many" else 15
START = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"


def connect():
    s = socket.create_connection(("127.0.0.1", PORT), timeout=PATIENCE)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def receive(s):
    """Receives until the end or one complete answer."""
    got = b""
    try:
        while True:
            head, blank, body = got.partition(b"\r\n\r\n")
            if blank:
                length = [l for l in head.lower().split(b"\r\n") if l.startswith(b"content-length:")]
                if length and len(body) >= int(length[0].split(b":")[1]):
                    return got
            piece = s.recv(65536)
            if not piece:
                return got
            got += piece
    except ConnectionError:
        return got


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0


def ask(text):
    with connect() as s:
        try:
            s.sendall(text)
        except ConnectionError:
            pass
        return receive(s)


def expect(what, got, *wanted):
    if got not in wanted:
        sys.exit(f"{what}: {got} instead of {wanted}")


def still_answers():
    began = time.monotonic()
    expect("a plain request", status(ask(b"GET /api HTTP/1.1\r\n" + HOST + b"\r\n")), 200)
    if time.monotonic() - began > PATIENCE / 3:
        sys.exit(f"a plain request takes more than {PATIENCE // 3} s")


def wait_until(condition, seconds):
    """Waits until the condition holds, for at most this many seconds."""
    last = time.monotonic() + seconds
    while not condition() and time.monotonic() < last:
        time.sleep(0.02)


def n_waiting():
    """The number of heavy requests that wait for a worker."""
    answer = ask(b"GET /metrics HTTP/1.1\r\n" + HOST + b"\r\n")
    return int(answer.split(b'\ntabiya_queue_length{weight="heavy"} ')[1].split(b"\n")[0])


def is_held(s):
    """Is the server's end of this connection still open?"""
    ends = ["%04X" % PORT, "%04X" % s.getsockname()[1]]
    with open("/proc/net/tcp") as file:
        rows = [line.split() for line in file]
    return any([row[1][-4:], row[2][-4:]] == ends and row[3] == "01" for row in rows)


def paths():
    for path in (b"/../../../../etc/passwd", b"/..%2f..%2fetc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"//etc/passwd",
                 b"/./etc/passwd", b"/..\\..\\etc\\passwd", b"/web/index.html", b"/index.html/../../x", b"/api/../games.db",
                 b"/games.db", b"file:///etc/passwd", b"/\xff\xfe", b"/%00", b"/" + b"a" * 5000):
        answer = ask(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")
        expect(path, status(answer), 404, 400)
        if b"root:" in answer:
            sys.exit(f"{path}: a file of the system")
    for host in (b"evil.example", b"localhost.evil.example:80", b"127.0.0.1.evil.example"):
        expect(host, status(ask(b"GET /api HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")), 403)


def malformed():
    for text in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00\x01\x02\xff\r\n\r\n",
                 b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n",
                 b"GET /%zz%0 HTTP/1.1\r\n" + HOST + b"\r\n", b"A" * 100000,
                 b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 100000 + b"\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 20000 + b"\r\n",
                 b"GET /?" + b"a=1&" * 30000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
                 b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
                 b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999999999999\r\n\r\n",
                 b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Content-Length: x\r\n\r\nabc",
                 b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                 b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n"):
        got = status(ask(text))
        # No answer, or a refusal; never a success, except for HTTP without a version.
        if got and not 400 <= got <= 505:
            sys.exit(f"{text[:60]}: {got}")
    for query in (b"?x=1", b"/convert?text=%", b"/convert?text=%00", b"/find?limit=-1", b"/game?id=1e9", b"/game?id=" + b"9" * 99):
        expect(query, status(ask(b"GET /api" + query + b" HTTP/1.1\r\n" + HOST + b"\r\n")), 400)
    expect("DELETE", status(ask(b"DELETE /api HTTP/1.1\r\n" + HOST + b"\r\n")), 405)


def body_of(answer):
    return answer.partition(b"\r\n\r\n")[2]


def is_json_error(answer):
    try:
        return isinstance(json.loads(body_of(answer))["error"], str) and b"Content-Type: application/json\r\n" in answer
    except (ValueError, KeyError, TypeError):
        return False


def http():
    """Requests that two servers might read differently are refused, and every refusal is JSON."""
    post = b"POST /api/convert HTTP/1.1\r\n"
    for text, wanted in ((b"GET /api HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
                         (b"GET /api HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
                         (b"GET /api HTTP/1.1\r\n\r\n", 400),
                         (post + b"Content-Length: 5\r\n\r\n", 400),  # at once, not when the body arrives
                         (b"GET http://evil.example/api HTTP/1.1\r\n" + HOST + b"\r\n", 403),
                         (b"GET http:///api HTTP/1.1\r\n" + HOST + b"\r\n", 400),
                         (post + HOST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
                         (post + HOST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\ne4", 400),
                         (post + HOST + b"Transfer-Encoding: gzip\r\n\r\n", 501),
                         (post + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
                         (post + HOST + b"Expect: more\r\n\r\n", 417),
                         (b"GET /api HTTP/1.1\r\n" + HOST + b" folded\r\n\r\n", 400),
                         (b"GET /api HTTP/1.1\n" + b"Host: localhost\n\n", 400),
                         (b"GET /api HTTP/2.0\r\n" + HOST + b"\r\n", 505),
                         (b"GET /" + b"a" * 40000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
                         (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 40000 + b"\r\n\r\n", 431),
                         (b"GET /api/status?" + b"&".join(b"p%d=1" % i for i in range(600)) + b" HTTP/1.1\r\n" + HOST +
                          b"\r\n", 400),
                         (b"GET /api/game?id=18446744073709551626 HTTP/1.1\r\n" + HOST + b"\r\n", 400),
                         (b"BREW /api HTTP/1.1\r\n" + HOST + b"\r\n", 405),
                         (b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n", 404),
                         (b"GET", 408)):
        answer = ask(text)
        expect(text[:80], status(answer), wanted)
        if not is_json_error(answer):
            sys.exit(f"{text[:80]}: not an error in JSON: {answer[:300]}")
    # Pipelined requests are answered in order, and a connection is reused.
    with connect() as s:
        s.sendall(b"".join(b"GET /api/status?fen=%d HTTP/1.1\r\n" % i + HOST + b"\r\n" for i in range(5)) +
                  b"POST /api/convert?to=uci HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n2\r\ne4\r\n0\r\n\r\n" +
                  b"HEAD /api/notations HTTP/1.1\r\n" + HOST + b"\r\n" +
                  b"GET /api HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        got = b""
        while piece := s.recv(65536):
            got += piece
    expect("answers to eight requests", [status(b"HTTP/" + part) for part in got.split(b"HTTP/")[1:]],
           [400, 400, 400, 400, 400, 200, 200, 200])
    if not (got.index(b"e2e4") < got.rindex(b"HTTP/") and got.endswith(b"}\n")):
        sys.exit("answers out of order")
    # HTTP/1.0, and a body that waits for "100 Continue".
    expect("HTTP/1.0", status(ask(b"GET /api HTTP/1.0\r\n" + HOST + b"\r\n")), 200)
    expect("HTTP/1.0 without a Host", status(ask(b"GET /api HTTP/1.0\r\n\r\n")), 200)
    expect("a target with its host", status(ask(b"GET http://localhost/api HTTP/1.1\r\nHost: other\r\n\r\n")), 200)
    expect("OPTIONS *", status(ask(b"OPTIONS * HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")), 204)
    with connect() as s:
        s.sendall(post.replace(b"convert", b"convert?to=uci") + HOST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        expect("Expect", s.recv(65536), b"HTTP/1.1 100 Continue\r\n\r\n")
        s.sendall(b"e4")
        expect("what was expected", status(receive(s)), 200)


def starve():
    """Light requests while every worker for heavy ones is busy and many more wait."""
    text = START * (2 ** 20 // len(START))
    heavy = (b"POST /api/convert?to=fen,epd,boardinfo,base64,pgn,json HTTP/1.1\r\n" + HOST +
             b"Content-Length: %d\r\n\r\n" % len(text) + text)
    busy = [connect() for _ in range(40)]
    for s in busy:
        threading.Thread(target=lambda s=s: s.sendall(heavy), daemon=True).start()
    wait_until(lambda: n_waiting() > 0, 10)
    overtaken = 0
    for path in (b"/api", b"/", b"/api/status", b"/api/game?id=3", b"/api/notations", b"/api/explore") * 5:
        expect(path, status(ask(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")), 200)
        overtaken += n_waiting() > 0
    if overtaken < 6:
        sys.exit(f"only {overtaken} of 30 light requests were answered while heavy ones waited")
    for s in busy:
        s.close()


def bodies():
    head = b"POST /api/convert?to=fen HTTP/1.1\r\n" + HOST
    text = START * (2 ** 20 // len(START))
    answer = ask(head + b"Content-Length: %d\r\n\r\n" % len(text) + text)
    expect("a body of a mebibyte", status(answer), 200)
    # With and without a length in the header.
    expect("a larger body", status(ask(head + b"Content-Length: 1048577\r\n\r\n")), 413)
    expect("a gigabyte", status(ask(head + b"Content-Length: 1000000000\r\n\r\n" + b"a" * 100000)), 413)
    piece = b"10000\r\n" + b"8" * 65536 + b"\r\n"
    expect("a larger body in pieces",
           status(ask(head + b"Transfer-Encoding: chunked\r\n\r\n" + piece * 40 + b"0\r\n\r\n")), 413)
    # An answer that would be too large.
    expect("a large answer",
           status(ask(head.replace(b"to=fen", b"to=svg") + b"Content-Length: %d\r\n\r\n" % len(text) + text)), 413)


def ends_within(seconds, s, feed):
    """The server ends the connection, however it is fed."""
    last = time.monotonic() + seconds
    s.settimeout(0.3)
    while time.monotonic() < last:
        try:
            feed(s)
            if s.recv(65536) == b"":
                return True
        except socket.timeout:
            pass
        except OSError:
            return True
    return False


def slow():
    failures = []

    def drip(what, first, piece):
        with connect() as s:
            s.sendall(first)
            if not ends_within(8, s, lambda t: t.sendall(piece)):
                failures.append(what)

    def read_nothing():
        # Too much for the buffers of both sides.
        text = START * 1500
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.connect(("127.0.0.1", PORT))
            s.sendall(b"POST /api/convert?to=svg HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(text) + text)
            wait_until(lambda: not is_held(s), 6)
            s.settimeout(3)
            got = receive(s)
            head, _, body = got.partition(b"\r\n\r\n")
            whole = int([l for l in head.split(b"\r\n") if l.lower().startswith(b"content-length:")][0].split(b":")[1])
            if len(body) >= whole:
                failures.append("an answer that nobody reads")

    threads = [threading.Thread(target=drip, args=a) for a in (
        ("a request line byte by byte", b"G", b"E"),
        ("a header byte by byte", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"x"),
        ("headers line by line", b"GET / HTTP/1.1\r\n", b"X: y\r\n"),
        ("a body byte by byte", b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Content-Length: 100000\r\n\r\n", b"e"),
        ("nothing at all", b"G", b""),
    )]
    threads.append(threading.Thread(target=read_nothing))
    for t in threads:
        t.start()
    still_answers()
    for t in threads:
        t.join()
    if failures:
        sys.exit("not ended: " + ", ".join(failures))


def many():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    sockets = [connect() for _ in range(1000)]
    still_answers()
    for s in sockets:
        s.sendall(b"GET /api/status HTTP/1.1\r\n" + HOST + b"\r\n")
    for s in sockets:
        expect("one of a thousand", status(receive(s)), 200)
    for s in sockets:
        s.close()


def busy():
    """Another program has locked the database: waiting requests get "try again later", and so do those queued after them."""
    find = b"GET /api/find?player=morphy HTTP/1.1\r\n" + HOST + b"\r\n"
    expect("a database that nobody has locked", status(ask(find)), 200)
    writer = sqlite3.connect("games.db", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    waiting = [connect() for _ in range(40)]  # three times as many as there can be workers
    for s in waiting:
        s.sendall(find)
    answers = [receive(s) for s in waiting]
    for answer in answers:
        expect("a locked database", status(answer), 503)
        if b"\r\nRetry-After: " not in answer or not is_json_error(answer):
            sys.exit(f"not a clear 503: {answer[:400]}")
    behind = [a for a in answers if body_of(a) == b'{"error":"the server is busy: too many requests are waiting"}\n']
    if not 0 < len(behind) < len(answers):
        sys.exit(f"{len(behind)} of {len(answers)} requests had waited too long before they were looked at")
    for s in waiting:
        s.close()
    left = [connect() for _ in range(40)]
    for s in left:
        s.sendall(find)
    wait_until(lambda: n_waiting() > 0, PATIENCE)
    for s in left:
        s.close()
    answer = ask(find)  # the server does not wait for clients that have left
    expect("a locked database, after others have gone", status(answer), 503)
    if b"too many requests" in answer:
        sys.exit("requests of clients that have gone kept the workers busy")
    writer.execute("ROLLBACK")
    writer.close()
    expect("a database that is free again", status(ask(find)), 200)


def resident():
    """The server's memory in KiB; 0 with a sanitizer, which delays freeing."""
    with open(f"/proc/{sys.argv[3]}/status") as file:
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.startswith("Vm")}
    return 0 if sizes["VmSize"] > 1 << 30 else sizes["VmRSS"]


def n_files():
    """How many files the server has open, once it has closed those it is about to close."""
    n, last = 0, time.monotonic() + 10
    while time.monotonic() < last and n != (n := len(os.listdir(f"/proc/{sys.argv[3]}/fd"))):
        time.sleep(0.3)
    return n


def end(s):
    if s:
        s.close()


def soak():
    """Thousands of requests of all kinds leak nothing: no memory, no files."""
    pgn = b'[White "A"]\n\n1. e4 {c} (1. d4 d5) e5 2. Ke2 Ke7 *\n' * 20
    requests = [b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n" for path in (
        b"/", b"/api", b"/nothing", b"/api/status", b"/api/status?fen=x", b"/api/notations", b"/api/patterns", b"/api/info",
        b"/api/explore", b"/api/explore?moves=1.+e4", b"/api/explore?moves=1.+e9", b"/api/find?limit=20", b"/api/find?match=mate",
        b"/api/find?player=morphy&sort=-date", b"/api/find?count=1", b"/api/find?elo=high", b"/api/game?id=3",
        b"/api/game?id=4&to=cmbr", b"/api/game?id=999999", b"/api/convert?text=1.+e4+e5", b"/api/analyse")]
    requests += [b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(pgn) + pgn,
                 b"POST /api/convert?to=fen HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n2\r\ne4\r\n0\r\n\r\n",
                 b"POST /api/convert HTTP/1.1\r\n" + HOST + b"Content-Length: 2000000\r\n\r\n", b"BREW / HTTP/1.1\r\n\r\n"]
    kept, memory, files = None, 0, 0
    for i in range(5000):
        if i == 1000:
            kept, memory, files = end(kept), resident(), n_files()
        if kept is None:
            kept = connect()
        kept.sendall(requests[i % len(requests)])
        answer = receive(kept)
        if not status(answer) or status(answer) >= 500:
            sys.exit(f"request {i}: {answer[:300]}")
        if b"\r\nConnection: close\r\n" in answer:
            kept = end(kept)
    end(kept)
    if resident() > memory + 2048:
        sys.exit(f"{memory} KiB of memory after 1000 requests, {resident()} after 5000")
    if n_files() != files:
        sys.exit(f"{files} open files after 1000 requests, {n_files()} after 5000")


tests = {"paths": paths, "malformed": malformed, "bodies": bodies, "slow": slow, "many": many, "http": http, "starve": starve,
         "busy": busy, "soak": soak}
tests[sys.argv[2]]()
still_answers()

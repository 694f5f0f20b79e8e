#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve_locks.py PROGRAM: strangers, attackers and guests at the server of `dgm explore`, over plain sockets."""
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

MEGABYTE = 1 << 20
MANUAL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "explorer.md"
cases = []


def case(function):
    cases.append(function)
    return function


class Skipped(Exception):
    """What a case needs and this machine does not have."""


class Server:
    """A running program, and the ways to talk to it."""

    def __init__(self, program, *words, **changes):
        # The quarantine of the address sanitizer would look like memory that grows.
        self.folder = tempfile.TemporaryDirectory()
        self.temporary = self.folder.name
        environment = dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=1", TMPDIR=self.temporary)
        for name, value in changes.items():
            environment.pop(name, None) if value is None else environment.update({name: value})
        self.process = subprocess.Popen(
            [program, "explore", *words, "--no-browser", "--quiet"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.address = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.address)
        self.host, self.port = parts.hostname, parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]
        self.origin = f"http://{parts.netloc}"
        self.cookie = self.request("GET", f"/?token={self.token}")[1]["Set-Cookie"].split(";")[0]

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=60)

    def request(self, method, path, body=None, **headers):
        """Sends exactly these headers; Host and lengths are added if they are not among them."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        headers = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        connection.request(method, path, body=body, headers=headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return response.status, dict(response.getheaders()), text

    def guest(self, method, path, body=None, **headers):
        return self.request(method, path, body, **{"Cookie": self.cookie, "Origin": self.origin, **headers})

    def ask_raw(self, question, settings=""):
        return self.guest("POST", f"/api/{question}", settings)

    def ask(self, question, settings=""):
        status, _, data = self.ask_raw(question, settings)
        if status != 200:
            return status, json.loads(data)
        length = struct.unpack("<I", data[4:8])[0]
        return status, json.loads(data[8 : 8 + length])

    def begin(self, question, body=""):
        """A page that asks and does not wait for the answer."""
        page = self.connect()
        page.sendall((f"POST /api/{question} HTTP/1.1\r\nHost: {urllib.parse.urlsplit(self.origin).netloc}\r\n"
                      f"Cookie: {self.cookie}\r\nOrigin: {self.origin}\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        return page

    def listen(self):
        """A page that hears events, from now on."""
        page = self.connect()
        page.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        assert b"text/event-stream" in page.recv(4096)
        return page

    def memory(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()


def hear(page, word, seen=b""):
    """Reads events until one of them has the word; returns all that was read."""
    while word not in seen:
        more = page.recv(4096)
        assert more, seen
        seen += more
    return seen


def is_stale(page):
    """Whether the answer says that another has taken its place; it may come in several pieces."""
    return b'"stale": true' in hear(page, b'"arrays"')


@case
def the_address_is_the_only_line(server):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}", server.address), server.address


@case
def the_token_is_exchanged_for_a_cookie(server):
    status, headers, _ = server.request("GET", f"/?token={server.token}")
    assert status == 303 and headers["Location"] == "/", (status, headers)
    cookie = headers["Set-Cookie"]
    assert cookie.startswith(f"dgm_{server.port}=") and server.token not in cookie, cookie
    for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert word in cookie, cookie


@case
def a_guest_gets_the_page(server):
    status, headers, text = server.guest("GET", "/", Origin=None)
    assert status == 200 and headers["Content-Type"].startswith("text/html"), (status, headers)
    assert b"<html" in text
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy, policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"


@case
def nobody_may_frame_read_or_send_what_is_here(server):
    """Whatever is answered, and to whomever, says that other sites have no part in it."""
    answers = [server.guest("GET", path, Origin=None) for path in ("/", "/page.js", "/nothing", "/api/download?format=dot")]
    answers += [server.request("GET", "/"), server.request("GET", f"/?token={server.token}"), server.ask_raw("start"),
                server.ask_raw("picture", "intervals=0")]
    for _, headers, _ in answers:
        assert headers["X-Frame-Options"] == "DENY", headers
        assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin", headers
        policy = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
        for rule in ("default-src", "form-action", "base-uri", "frame-ancestors"):
            assert policy[rule] == "'none'", policy
        for rule in ("script-src", "style-src", "connect-src"):
            assert policy[rule] == "'self'", policy


@case
def strangers_get_nothing(server):
    for path in ("/", "/page.js", "/api/events", "/api/download?format=json", "/?token=", "/?token=" + "0" * 32,
                 "/nothing"):
        status, _, text = server.request("GET", path)
        assert status == 403 and b"token" in text, (path, status)
    for cookie in ("", "dgm_1=2", f"dgm_{server.port}=", f"dgm_{server.port}={server.token}",
                   server.cookie[:-1], server.cookie + "0"):
        assert server.guest("GET", "/", Cookie=cookie)[0] == 403, cookie
        assert server.guest("POST", "/api/picture", "", Cookie=cookie)[0] == 403, cookie


@case
def other_hosts_and_origins_are_refused(server):
    for host in ("evil.example", f"evil.example:{server.port}", f"localhost:{server.port}", "127.0.0.1", ""):
        assert server.guest("GET", "/", Host=host)[0] in (400, 403), host
        assert server.request("GET", f"/?token={server.token}", Host=host)[0] in (400, 403), host
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{server.port}", None):
        assert server.guest("POST", "/api/picture", "", Origin=origin)[0] == 403, origin
    assert server.guest("POST", "/api/picture", "", Sec_Fetch_Site="cross-site")[0] == 403


@case
def a_request_without_a_host_is_refused(server):
    with server.connect() as stranger:
        stranger.sendall(f"GET / HTTP/1.0\r\nCookie: {server.cookie}\r\n\r\n".encode())
        assert stranger.recv(64).split()[1] in (b"400", b"403")


@case
def no_file_is_served(server):
    for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/etc/passwd",
                 "/index.html/../../etc/passwd", "/api/../../etc/passwd", "/api/download?format=../../etc/passwd"):
        status, _, text = server.guest("GET", path)
        assert status == 404 and b"root:" not in text, (path, status)


@case
def questions_are_answered(server):
    status, start = server.ask("start")
    assert status == 200 and start["nodes"] == 34 and start["live"] is True
    status, picture = server.ask("picture", "intervals=3&overlap=0.3")
    assert status == 200 and picture["coverage"]["lost"] == 0
    assert "--intervals 3 --overlap 0.3" in picture["command"], picture["command"]
    status, cluster = server.ask("cluster", f"cluster=0&serial={picture['serial']}")
    assert status == 200 and cluster["size"] > 0


@case
def wrong_questions_are_refused_in_words(server):
    for question, settings in (("nothing", ""), ("picture", "intervals=0"), ("picture", "x"), ("picture", "a=%zz"),
                               ("picture", "{\"intervals\": 3}"), ("cluster", "cluster=-1"), ("lens", "lens=nolens"),
                               ("lens", "output=/tmp/x"), ("lens", "a=%zz"), ("picture", "lens=pagerank"), ("members", "cluster=0&count=1e9")):
        status, answer = server.ask(question, settings)
        assert status == 400 and answer["error"], (question, settings, status, answer)
    status, answer = server.ask("picture", "intervals=0")
    assert answer["option"] == "intervals", answer
    status, answer = server.ask("cluster", "cluster=0&serial=999999")
    assert status == 200 and answer == {"stale": True, "arrays": {}}, (status, answer)
    assert server.guest("POST", "/api/" + "a" * 5000)[0] in (404, 414, 431)
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE"):
        assert server.guest(method, "/api/picture")[0] in (403, 405, 501), method


@case
def a_lens_is_computed(server):
    status, start = server.ask("lens", "lens=degree&transform=rank")
    assert status == 200 and start["lens"]["settings"] == {"lens": "degree", "transform": "rank"}, start["lens"]
    status, picture = server.ask("picture", "intervals=4&overlap=0.5&cover=uniform")
    assert "--lens degree --transform rank" in picture["command"], picture["command"]


@case
def a_part_is_mapped_as_its_own_graph(server):
    server.ask("lens", "lens=degree")
    whole = server.ask("picture", "intervals=3&overlap=0.3&cover=uniform")[1]
    status, start = server.ask("focus", f"serial={whole['serial']}&nodes=0,1,2,3,7,13&hops=0")
    assert status == 200 and start["nodes"] == 6 and len(start["levels"]) == 2, start
    assert start["live"] is True and start["candidates"] == [] and start["lenses"]
    status, start = server.ask("choose")
    assert status == 200 and start["reason"] and start["candidates"][0]["picture"]["x"], start
    assert server.ask("lens", "lens=pagerank")[1]["lens"]["settings"] == {"lens": "pagerank"}
    part = server.ask("picture", "intervals=2")[1]
    assert part["coverage"]["nodes"] == 6 and part["command"] is None, part
    assert server.ask("cluster", f"cluster=0&serial={whole['serial']}")[1]["stale"] is True
    status, start = server.ask("back", "level=0")
    assert status == 200 and start["nodes"] == 34 and start["lens"]["settings"] == {"lens": "degree"}, start
    assert server.ask("picture")[1]["clusters"] == whole["clusters"]


@case
def parts_come_and_go_while_lenses_are_computed(server):
    for i in range(10):
        with server.begin("lens", "lens=eigen") as page:
            assert server.ask("picture")[0] == 200
            assert server.ask("focus", "nodes=0,1,2,3,4,5,6,7")[0] == 200
            assert server.ask("back", "level=0")[0] == 200
            page.recv(64)
    assert server.ask("picture")[1]["coverage"]["nodes"] == 34


def left_behind(folder):
    return [name for name in os.listdir(folder) if name.startswith("dgm-open-")]


@case
def a_file_is_opened_and_closed(server):
    graph = "".join(f"n{i} n{(i + 1) % 50}\n" for i in range(50)).encode()
    for name, kept in (("ring.txt", "ring.txt"), ("../../../../etc/x.txt", "x.txt"), ("", "graph.txt"),
                       ("a" * 5000 + ".txt", "a" * 96 + ".txt"), ("b" * 96 + ".txt", "b" * 96 + ".txt"),
                       ("-rf%20%22%3B.txt", "_rf___.txt"), (".hidden", "_hidden"), ("A-z_0.9.txt", "A-z_0.9.txt")):
        status, _, data = server.guest("POST", f"/api/open?name={name}" if name else "/api/open", graph)
        assert status == 200, (name, status, data[:200])
        start = json.loads(data[8 : 8 + struct.unpack("<I", data[4:8])[0]])
        assert start["nodes"] == 50 and start["opened"] is True and start["reason"], start["title"]
        assert os.path.basename(start["title"]) == kept, start["title"]
        assert server.ask("picture")[1]["topology"]["b1"] == 1
    assert server.ask("search", "text=n49")[1]["total"] == 1
    status, start = server.ask("home")
    assert status == 200 and start["nodes"] == 34 and start["opened"] is False
    assert server.ask("picture")[1]["coverage"]["nodes"] == 34
    assert left_behind(server.temporary) == []


@case
def a_bad_file_is_told_and_forgotten(server):
    for name, data in (("x.gml", b"graph [ node [ id"), ("x.npz", b"no archive"), ("x.txt", b""), ("x.exe", b"\0\1\2"),
                       ("x.graphml", b"<graphml><graph></graphml>")):
        status, _, answer = server.guest("POST", f"/api/open?name={name}", data)
        assert status in (400, 500) and json.loads(answer)["error"], (name, status, answer)
    status, _, answer = server.guest("POST", "/api/open?name=../y.txt", b"0 1\n2\n")
    assert status == 400 and json.loads(answer)["error"].startswith("y.txt, line 2: "), answer
    assert server.ask("start")[1]["nodes"] == 34
    with server.connect() as stranger:
        stranger.sendall((f"POST /api/open?name=x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
                          f"Origin: {server.origin}\r\nContent-Length: {1 << 30}\r\n\r\n").encode())
        assert stranger.recv(64).split()[1] == b"413"
    with server.connect() as stranger:  # who leaves in the middle leaves nothing
        stranger.sendall((f"POST /api/open?name=x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
                          f"Origin: {server.origin}\r\nContent-Length: 1000000\r\n\r\n0 1\n").encode())
        for _ in range(100):
            if left_behind(server.temporary):
                break
            time.sleep(0.1)
        assert server.guest("POST", "/api/open?name=y.txt", b"0 1\n")[0] == 503
    for _ in range(100):
        if not left_behind(server.temporary):
            break
        time.sleep(0.1)
    assert left_behind(server.temporary) == []
    assert server.guest("POST", "/api/open?name=y.txt", b"0 1\n1 2\n", Cookie="")[0] == 403


@case
def what_takes_long_can_be_ended(server):
    endless = "lens=dgi:preset=reference,epochs=1000000,patience=1000000"
    assert server.guest("POST", "/api/cancel", "")[0] == 200  # nothing runs

    with server.begin("lens", endless) as first, server.begin("lens", endless) as second:  # the newer one ends the older
        assert is_stale(first)
        assert server.ask("picture", "intervals=3")[0] == 200  # who asks is answered meanwhile
        for _ in range(100):  # it may not have begun yet
            server.guest("POST", "/api/cancel", "")
            second.settimeout(0.1)
            try:
                assert is_stale(second)
                break
            except TimeoutError:
                pass
        else:
            raise AssertionError("it does not end")
    with server.listen() as news, server.begin("lens", endless) as page:  # and so does another graph
        hear(news, b'"stage": "training')
        server.ask("focus", "nodes=0,1,2,3")
        assert is_stale(page)
        server.ask("back", "level=0")


@case
def odd_requests_are_answered(server):
    assert server.guest("HEAD", "/")[0] in (200, 405)
    assert server.guest("GET", "/api/download")[0] == 404
    assert server.guest("POST", "/elsewhere", "")[0] in (404, 405)
    assert server.guest("POST", "/api/download", "svg")[0] == 404
    assert server.ask("home")[1]["nodes"] == 34  # at home already


@case
def downloads_are_files(server):
    """Of a type that a browser saves and does not show, and of a name that says what is in them."""
    server.ask("picture", "intervals=3&overlap=0.3&cover=uniform")
    kinds = (("json", "application/json", "summary.json", b"{"), ("svg", "image/svg+xml", "summary.svg", b"<svg"),
             ("pdf", "application/pdf", "summary.pdf", b"%PDF"), ("png", "image/png", "summary.png", b"\x89PNG"),
             ("csv", "text/csv; charset=utf-8", "members.csv", b"node,cluster"),
             ("clusters.csv", "text/csv; charset=utf-8", "clusters.csv", b"id,cell,size"),
             ("edges.csv", "text/csv; charset=utf-8", "edges.csv", b"source,target"),
             ("graphml", "application/xml", "summary.graphml", b"<graphml"), ("gexf", "application/xml", "summary.gexf", b"<gexf"),
             ("dot", "text/plain; charset=utf-8", "summary.dot", b"graph"),
             ("md", "text/markdown; charset=utf-8", "report.md", b"# "))
    for kind, media, name, start in kinds:
        status, headers, data = server.guest("GET", f"/api/download?format={kind}", Origin=None)
        if kind in ("pdf", "png") and status == 400 and b"Cairo" in data:
            continue  # this build has none
        assert status == 200 and start in data[:400], (kind, status, data[:100])
        assert headers["Content-Type"] == media, (kind, headers)
        assert headers["Content-Disposition"] == f'attachment; filename="{name}"', headers
    for kind in ("exe", "", "members.csv", "summary.svg", "SVG"):
        status, headers, data = server.guest("GET", f"/api/download?format={kind}")
        assert status == 404 and data and "Content-Disposition" not in headers, (kind, status)


@case
def a_body_of_a_gigabyte_is_not_read(server):
    before = server.memory()
    with server.connect() as stranger:
        stranger.sendall((f"POST /api/picture HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
                          f"Origin: {server.origin}\r\nContent-Length: {1 << 30}\r\n\r\n").encode())
        assert stranger.recv(64).split()[1] == b"413"
    with server.connect() as stranger:
        stranger.sendall((f"POST /api/picture HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"
                          f"Origin: {server.origin}\r\nTransfer-Encoding: chunked\r\n\r\n").encode())
        chunk = b"100000\r\n" + b"a" * MEGABYTE + b"\r\n"
        try:
            for _ in range(64):
                stranger.sendall(chunk)
            raise AssertionError("64 MB were taken")
        except (ConnectionError, BrokenPipeError):
            pass
    assert server.memory() - before < 32 * MEGABYTE


@case
def slow_headers_keep_nobody_waiting(server):
    slow = [server.connect() for _ in range(200)]
    for stranger in slow:
        stranger.sendall(b"GET / HT")
    assert server.ask("picture", "intervals=3")[0] == 200
    for stranger in slow:
        stranger.sendall(b"TP/1.1\r\nX: ")
    assert server.ask("picture", "intervals=4")[0] == 200
    for stranger in slow:
        stranger.close()


@case
def a_thousand_connections_do_no_harm(server):
    before, crowd = server.memory(), []
    try:
        for _ in range(1000):
            crowd.append(server.connect())
    except OSError:
        pass  # this process or that one has no more descriptors
    assert len(crowd) > 200
    grown = server.memory() - before
    assert grown < 32 * MEGABYTE, f"{grown >> 20} MB"
    for stranger in crowd:
        stranger.close()
    for _ in range(100):  # those that wait are taken one after another
        try:
            if server.ask("picture", "intervals=3")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("nobody is served any more")


@case
def many_questions_leave_nothing_behind(server):
    for i in range(20):
        server.ask("picture", f"intervals={3 + i % 5}")
    before = server.memory()
    for i in range(300):
        server.ask("picture", f"intervals={3 + i % 5}&overlap=0.{2 + i % 4}")
        server.ask("cluster", "cluster=0")
    assert server.memory() - before < 32 * MEGABYTE


@case
def pages_that_listen_come_and_go(server):
    first, second, third = server.listen(), server.listen(), server.listen()
    first.close()  # which is neither the last that came nor the only one
    server.ask("lens", "lens=degree")
    for page in (second, third):
        hear(page, b'"fraction": 1}')
        page.close()
    with server.listen() as page:  # what was before it came is no news
        server.ask("lens", "lens=pagerank")
        assert b"degree" not in hear(page, b'"fraction": 1}')


@case
def events_tell_of_the_end(server):
    with server.listen() as page:
        server.ask("lens", "lens=pagerank")
        seen = hear(page, b"event: progress")
        assert server.guest("POST", "/api/stop", "")[0] == 200
        hear(page, b"event: bye", seen)
    code, words = server.process.wait(60), server.process.stderr.read()
    assert code == 0 and words == "", (code, words[-2000:])
    assert server.process.stdout.read() == ""


def names_are_scripts(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "evil.csv")
        with open(path, "w", encoding="utf-8") as file:
            for i in range(30):
                file.write(f"\"</script><script>alert({i})</script>\",\"<!--{(i + 1) % 30}\"\n")
        server = Server(program, path, "--lens", "degree", "--intervals", "2")
        try:
            status, headers, data = server.guest("POST", "/api/picture", "")
            assert status == 200 and headers["Content-Type"] == "application/octet-stream"
            assert server.ask("search", "text=script")[1]["total"] == 30
            status, _, data = server.guest("GET", "/api/download?format=svg")
            assert status == 200 and b"<script" not in data
        finally:
            server.stop()
        assert server.process.returncode == 0, server.process.returncode


def as_many_pages_listen_as_the_manual_says(program):
    most = int(re.search(r"at most (\d+) connections", MANUAL.read_text(encoding="utf-8")).group(1))
    usual, files = resource.getrlimit(resource.RLIMIT_NOFILE), most + 200
    if usual[1] != resource.RLIM_INFINITY and usual[1] < files:
        raise Skipped(f"{files} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, usual[1]))
    server, pages = Server(program, "karate", "--lens", "degree", "--intervals", "3"), []
    try:
        pages = [server.listen() for _ in range(most - 1)]  # who listens may be silent as long as he likes
        visitor = http.client.HTTPConnection(server.host, server.port, timeout=60)
        visitor.request("GET", "/nothing", headers={"Cookie": server.cookie})
        assert visitor.getresponse().read() and visitor.sock  # it stays open
        with server.connect() as late:
            late.settimeout(1)
            try:
                late.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
                assert late.recv(64) == b"", "one more was answered"
            except (TimeoutError, ConnectionError):
                pass
        visitor.close()
        pages.append(server.listen())
    finally:
        for page in pages:
            page.close()
        server.stop()
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert server.process.returncode == 0, server.process.returncode


def only_the_newest_picture_is_drawn(program):
    server = Server(program, "papers", "--lens", "degree", "--intervals", "8")
    try:
        assert server.ask("picture")[0] == 200
        for _ in range(20):  # the first picture may be done before the others have come
            pages = [server.begin("picture", f"intervals={8 + i}&layout=stress") for i in range(3)]
            pages.append(server.begin("search", "text=paper"))  # which nothing drops
            pages += [server.begin("picture", f"intervals={11 + i}") for i in range(3)]
            stale = [is_stale(page) for page in pages]
            for page in pages:
                page.close()
            assert not stale[3] and not all(stale[:3] + stale[4:]), stale
            if any(stale):
                break
        else:
            raise AssertionError("every picture was drawn")
        with server.listen() as news, server.begin("choose") as page:
            hear(news, b"event: progress")
            server.guest("POST", "/api/cancel", "")
            assert is_stale(page)
        page, news = server.begin("lens", "lens=dgi:epochs=1000000,patience=1000000"), server.listen()
        hear(news, b'"stage": "training')
        assert server.guest("POST", "/api/stop", "")[0] == 200  # which ends what runs, whoever still listens
        assert is_stale(page)
        assert server.process.wait(60) == 0
        page.close(), news.close()
    finally:
        server.stop()


def all_that_wait_are_answered_at_the_end(program):
    server = Server(program, "papers", "--lens", "degree", "--intervals", "8")
    try:
        assert server.ask("picture")[0] == 200
        with server.listen() as news:
            pages = [server.begin("lens", "lens=dgi:epochs=1000000,patience=1000000")]
            hear(news, b'"stage": "training')
            pages += [server.begin("search", f"text=paper {i}") for i in range(80)]
            for _ in range(2):  # the network has come round to all of them
                assert server.request("GET", "/")[0] == 403
            assert server.guest("POST", "/api/stop", "")[0] == 200
            assert is_stale(pages[0])
            for page in pages[1:]:
                assert b"HTTP/1.1 200" in hear(page, b'"arrays"')
        assert server.process.wait(60) == 0
        for page in pages:
            page.close()
    finally:
        server.stop()


def files_go_where_there_is_room(program):
    graph = b"a b\nb c\nc a\n"
    for place in (None, "", "/" + "x" * 600):  # the usual folder
        server = Server(program, "karate", "--lens", "degree", "--intervals", "3", TMPDIR=place)
        try:
            assert server.guest("POST", "/api/open?name=x.txt", graph)[0] == 200, place
        finally:
            server.stop()
    server = Server(program, "karate", "--lens", "degree", "--intervals", "3", TMPDIR="/nowhere/at/all")
    try:
        for _ in range(2):
            status, _, words = server.guest("POST", "/api/open?name=x.txt", graph)
            assert status == 503 and b"no room for this one" in words, (status, words)
    finally:
        server.stop()


def a_browser_is_opened_or_asked_for(program):
    def explore(*words, path):
        process = subprocess.Popen([program, "explore", "karate", "--lens", "degree", "--intervals", "3", *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, PATH=path))
        said = ""
        while "Ctrl-C" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0 and process.stdout.read() == "", process.returncode
        process.stdout.close(), process.stderr.close()
        return said

    with tempfile.TemporaryDirectory() as folder:
        said = explore(path=folder)
        assert "none was found: open the address above" in said and "warning" not in said, said
        browser, seen = os.path.join(folder, "xdg-open"), os.path.join(folder, "seen")
        with open(browser, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho \"$1\" >{seen}.new\nmv {seen}.new {seen}\n")
        os.chmod(browser, 0o755)
        said = explore("--host", "0.0.0.0", path=f"{folder}:{os.environ['PATH']}")
        assert "others on the network can reach this page" in said and "none was found" not in said, said
        for _ in range(100):
            if os.path.exists(seen):
                break
            time.sleep(0.1)
        with open(seen, encoding="utf-8") as file:
            assert file.read().strip() in said, said
        try:
            assert "warning" not in explore("--host", "::1", path=folder)
        except AssertionError:  # a machine without IPv6
            if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6"):
                raise


def interrupts_end_it_well(program):
    server = Server(program, "karate")
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(60) == 0, server.process.returncode
    server.stop()


def a_port_that_is_taken_is_said(program):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = subprocess.run([program, "explore", "karate", "--no-browser", "--port", str(port)], capture_output=True,
                                text=True, timeout=60, check=False)
    assert result.returncode == 1 and f"cannot listen on 127.0.0.1, port {port}" in result.stderr, result.stderr
    assert result.stdout == ""


def run(number, name, function, *arguments):
    try:
        function(*arguments)
        print(f"ok {number} - {name}")
        return True
    except Skipped as need:
        print(f"ok {number} - {name} # SKIP this machine does not have {need}")
        return True
    except Exception as error:  # what went wrong is told, and the next case runs
        print(f"not ok {number} - {name}")
        print(f"# {type(error).__name__}: {error}".replace("\n", "\n# "))
        return False


def main(program):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background is started with it ignored
    alone = [names_are_scripts, as_many_pages_listen_as_the_manual_says, only_the_newest_picture_is_drawn,
             all_that_wait_are_answered_at_the_end, files_go_where_there_is_room, a_browser_is_opened_or_asked_for,
             interrupts_end_it_well, a_port_that_is_taken_is_said]
    print(f"1..{len(cases) + len(alone)}", flush=True)
    server, good = Server(program, "karate"), True
    for number, function in enumerate(cases, 1):
        good &= run(number, function.__name__.replace("_", " "), function, server)
    server.stop()
    for number, function in enumerate(alone, len(cases) + 1):
        good &= run(number, function.__name__.replace("_", " "), function, program)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

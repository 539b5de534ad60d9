#!/usr/bin/env python3
"""Measures how fluid `ballotcast view` is for a page that reaches it through a slow connection.

Usage: tools/view_speed.py PROGRAM SCENE [--size WxH] [--tunnel MS] [--seconds S] [--device NAME]
                           [--set NAME=VALUE ...]

It starts `ballotcast view`, and asks for pictures of a camera that moves, as the page does: while
pictures travel, the next ones are drawn. A proxy delays the data by half of --tunnel (in
milliseconds) in each direction. It prints JSON: pictures per second, and the milliseconds from an
input to the last byte of its picture, without the delay of the proxy. The time in which a browser
decodes and shows a picture is not included.
"""

import argparse
import asyncio
import json
import math
import re
import statistics
import subprocess
import sys
import time
import urllib.parse


async def pass_on(reader, writer, delay):
    """Copies bytes from reader to writer; each piece is written `delay` seconds after it
    arrived."""
    queue = asyncio.Queue()

    async def send():
        while True:
            due, data = await queue.get()
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
        writer.close()

    sender = asyncio.create_task(send())
    try:
        while data := await reader.read(1 << 18):
            queue.put_nowait((time.perf_counter() + delay, data))
    except ConnectionError:
        pass
    queue.put_nowait((time.perf_counter() + delay, b""))
    await asyncio.gather(sender, return_exceptions=True)


async def tunnel_to(port, delay):
    async def connected(reader, writer):
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pass_on(reader, to_writer, delay), pass_on(to_reader, writer, delay))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1]


class Connection:
    """A connection to the server, for one request and its answer at a time."""

    async def open(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        return self

    async def get(self, path):
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        body = await self.reader.readexactly(int(fields.get("Content-Length", 0)))
        return int(head.split()[1]), fields, body


def camera_at(facts, turn):
    """The scene's camera after it has moved around the point that it looks at, by `turn` radians
    about the up axis y or z."""
    camera = facts["camera"]
    eye, to, up = camera["eye"], camera["look_at"], camera["up"]
    a, b = (0, 1) if abs(up[2]) > abs(up[1]) else (2, 0)
    x, y = eye[a] - to[a], eye[b] - to[b]
    eye = list(eye)
    eye[a] = to[a] + x * math.cos(turn) - y * math.sin(turn)
    eye[b] = to[b] + x * math.sin(turn) + y * math.cos(turn)
    def join(v):
        return ",".join(map(repr, v))

    return {"eye": join(eye), "look-at": join(to), "up": join(up), "fov": camera["fov"]}


async def measure(arguments, port, token):
    tunnel = arguments.tunnel / 1000
    proxy, near = await tunnel_to(port, tunnel / 2)
    connections = [await Connection().open(near) for _ in range(4)]
    _, _, body = await connections[0].get(f"/facts?token={token}")
    facts = json.loads(body)
    fixed = {"token": token, "size": arguments.size, "format": "jpeg", "quality": 78, "moving": 1}
    fixed |= {"spp": 2, "smooth": "fast", "page": "speed"}
    fixed |= dict(pair.split("=", 1) for pair in arguments.set)
    if fixed.get("shade", "lit") == "lit" and "exposure" not in fixed:
        start = fixed | camera_at(facts, 0) | {"number": 0}
        start.pop("page")
        _, fields, _ = await connections[0].get("/picture?" + urllib.parse.urlencode(start))
        fixed["exposure"] = json.loads(fields["X-Ballotcast-Facts"])["exposure"]

    shown, latencies, told, sizes = [], [], [], []
    number, drawing, work, last_start, under_way, quickest = 0, 0.0, 0.0, 0.0, 0, math.inf
    end = time.perf_counter() + arguments.seconds

    async def one_page(connection):
        nonlocal number, drawing, work, last_start, under_way, quickest
        while (now := time.perf_counter()) < end:
            # Waits as the page does: while the server still draws, or has more pictures under way
            # than the connection can carry.
            wait = last_start + drawing - now if under_way else 0
            most = min(4, math.ceil((quickest + work) / drawing)) if drawing > 0 else 1
            if wait > 0 or under_way >= most:
                await asyncio.sleep(max(wait, 0.001))
                continue
            last_start = now
            under_way += 1
            number += 1
            query = fixed | camera_at(facts, 0.3 * math.sin(now)) | {"number": number}
            status, fields, body = await connection.get("/picture?" + urllib.parse.urlencode(query))
            under_way -= 1
            if status != 200:
                drawing *= 1.2
                continue
            done = time.perf_counter()
            fact = json.loads(fields["X-Ballotcast-Facts"])
            took = fact["ms"] / 1000
            both = took + fact["encode_ms"] / 1000
            quickest = min(quickest, done - now - both - fact["waited_ms"] / 1000)
            drawing = took if drawing == 0 else 0.7 * drawing + 0.3 * took
            work = both if work == 0 else 0.7 * work + 0.3 * both
            shown.append(done)
            latencies.append((done - now - tunnel) * 1000)
            told.append(fact)
            sizes.append(len(body))

    await asyncio.gather(*(one_page(connection) for connection in connections))
    for connection in connections:
        connection.writer.close()
    await asyncio.sleep(0.1 + tunnel)  # until the proxy has seen that the connections are closed
    proxy.close()
    shown.sort()
    steady = [t for t in shown if t > shown[0] + 0.5]
    median = statistics.median
    return {
        "scene": facts["name"],
        "device": facts["description"],
        "size": arguments.size,
        "tunnel_ms": arguments.tunnel,
        "settings": {
            k: v for k, v in fixed.items() if k not in ("token", "page", "format", "moving")
        },
        "pictures_per_s": round((len(steady) - 1) / (steady[-1] - steady[0]), 2),
        "input_to_picture_ms": {
            "median": round(median(latencies), 2),
            "p95": round(sorted(latencies)[int(len(latencies) * 0.95)], 2),
        },
        "draw_ms": round(median(f["ms"] for f in told), 2),
        "casting_ms": round(median(f["casting_ms"] for f in told), 2),
        "encode_ms": round(median(f["encode_ms"] for f in told), 2),
        "bytes": int(median(sizes)),
        "stages_ms": {k: round(v, 2) for k, v in told[-1]["stages"].items()},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("scene")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--tunnel", type=float, default=20.0, help="milliseconds there and back")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    command = [arguments.program, "view", "--no-open", "--device", arguments.device]
    begun = time.perf_counter()
    viewer = subprocess.Popen([*command, arguments.scene], stdout=subprocess.PIPE, text=True)
    for line in viewer.stdout:
        if found := re.search(r":(\d+)/\?token=(\w+)", line):
            break
    else:
        sys.exit("view_speed: the viewer has no address")
    opened = time.perf_counter() - begun
    try:
        result = asyncio.run(measure(arguments, int(found[1]), found[2]))
        print(json.dumps({**result, "start_s": round(opened, 2)}, indent=1))
    finally:
        viewer.terminate()
        viewer.wait()


main()

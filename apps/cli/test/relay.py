"""Sends a command line to the process of the tests, which runs it (command-relay.ts), and relays its streams and exit code."""

import json
import os
import select
import socket
import struct
import sys

relay = socket.socket(socket.AF_UNIX)
relay.connect(sys.argv[1])
command = {"args": sys.argv[2:], "cwd": os.getcwd(), "env": dict(os.environ)}
relay.sendall(json.dumps(command).encode() + b"\n")
sources = [relay, 0]
received = b""
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        data = os.read(0, 65536)
        if data:
            relay.sendall(data)
        else:
            sources.remove(0)
            relay.shutdown(socket.SHUT_WR)
    if relay in ready:
        data = relay.recv(65536)
        if not data:
            sys.exit("The process of the tests closed the connection.")
        received += data
        while len(received) >= 5:
            kind, length = struct.unpack(">BI", received[:5])
            if kind == 0:
                sys.exit(length)
            if len(received) < 5 + length:
                break
            content, received = received[5 : 5 + length], received[5 + length :]
            while content:
                content = content[os.write(kind, content) :]

"""Serves one model file over HTTP as llama.cpp does: `serve.py FILE PORT SLOTS`. Ends with its standard input."""

import sys

import xllamacpp

file, port, slots = sys.argv[1:]
settings = xllamacpp.CommonParams()
settings.model.path = file
settings.port = int(port)
settings.n_parallel = int(slots)
settings.n_ctx = 1024 * int(slots)
settings.warmup = False
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()

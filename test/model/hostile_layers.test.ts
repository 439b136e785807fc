import { resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { PythonEnvironment } from "../../src/engines/python/environment.ts";
import { ForkServer } from "../../src/engines/python/fork_server.ts";
import type { JobReply } from "../../src/engines/python/talk.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { type Family, family, familyOnce } from "../support/descendants.ts";
import { has_python } from "../support/models.ts";
import { sees_processes } from "../support/processes.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";

/*
 * What holds when the restricted Python does not: jobs here are Python without restriction, run by the
 * real fork server in the real sandbox (`test/fixtures/escaped.py`).
 */

const bounds = { stdout_bytes_max: Number.MAX_SAFE_INTEGER, stderr_bytes_max: 65_536, rss_bytes_max: 4 * 1024 ** 3 };

const children = new Children(readConfig({}).child_environment, readConfig({}).child_directory);
afterAll(() => children.stopAll());

/** The layers of the sandbox that are there without the kernel's help. */
const layers = ["namespaces", "landlock", "seccomp", "rlimits", "audit hook"] as const;
type Layer = (typeof layers)[number];

async function privatePython(): Promise<string> {
  const config = {
    ...readConfig({}, { ...process.env, VERDICT_DATA: await pythonData() }),
    python_directory: resolve("python"),
  };
  const environment = new PythonEnvironment({ config, children });
  try {
    const interpreter = await environment.installed();
    if (!interpreter) throw new Error("no Python environment");
    return interpreter.python;
  } finally {
    environment.close();
  }
}

async function startServer(without: readonly Layer[]): Promise<ForkServer> {
  const args = ["-I", "-B", resolve("test/fixtures/escaped.py"), resolve("python"), ...without];
  return new ForkServer(children.start({ command: await privatePython(), args }, bounds));
}

async function isolationOf(server: ForkServer): Promise<readonly string[]> {
  const ready = await server.ready;
  if (!ready) throw new Error(`the server did not start: ${server.stderr}`);
  return ready.isolation;
}

function run(server: ForkServer, program: string, left_ms = 120_000): Promise<JobReply> {
  return server.run({ items: [program] }, new Deadline(left_ms));
}

/** A program that makes an attempt and says whether it was refused or done; other errors are mistakes of this test. */
function attempt(code: string): string {
  const lines = code.split("\n").map((line) => `    ${line}`);
  return `try:\n${lines.join("\n")}\n    say(outcome='done')\nexcept PermissionError as error:\n    say(outcome='refused')`;
}

async function outcomeOf(server: ForkServer, code: string): Promise<unknown> {
  const { end } = await run(server, attempt(code));
  return end.kind === "result" ? end.result : end;
}

const refused = { outcome: "refused" };

/** Calls the kernel directly, as code that runs outside of Python would: an error number is a refusal. */
const libc = [
  "import ctypes",
  "libc = ctypes.CDLL(None, use_errno=True)",
  "def call(*arguments):",
  "    if libc.syscall(*map(ctypes.c_long, arguments)) < 0:",
  "        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))",
  "def checked(result):",
  "    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))",
].join("\n");

/** Replaces what a hook would find as a global: the names of its module, flags, and builtins that compare. */
function withGlobalsReplaced(code: string): string {
  return [
    "import builtins, sys",
    "from verdict_runner.sandbox import walls",
    "for name in [name for name in vars(walls) if not name.startswith('__')]: setattr(walls, name, ())",
    "for name in [name for name in vars(os) if name.startswith('O_')]: setattr(os, name, 0)",
    "os.sep, os.pardir = chr(0), chr(0)",
    // The job's own end needs these builtins again.
    "kept = builtins.isinstance, builtins.any",
    "builtins.isinstance, builtins.any = lambda *_: True, lambda _: False",
    `try: ${code}`,
    "finally: builtins.isinstance, builtins.any = kept",
  ].join("\n");
}

interface Attempt {
  readonly tries: string;
  readonly code: string;
}

/** What each layer refuses by itself, with all other layers taken away. */
const refusals: Readonly<Record<"landlock" | "seccomp" | "audit hook", readonly Attempt[]>> = {
  landlock: [
    { tries: "to read a file", code: "open('/etc/passwd').read()" },
    { tries: "to read a file by descriptor", code: "os.open('/etc/hostname', os.O_RDONLY)" },
    { tries: "to list a directory", code: "os.listdir('/')" },
    { tries: "to write a file", code: "open('/tmp/verdict-was-here', 'w')" },
    { tries: "to write beside the interpreter", code: "import sys\nopen(sys.prefix + '/verdict-was-here', 'w')" },
    { tries: "to make a directory", code: "os.mkdir('/tmp/verdict-was-here')" },
    { tries: "to make a pipe with a name", code: "os.mkfifo('/tmp/verdict-was-here')" },
    { tries: "to make a link", code: "os.symlink('/etc', '/tmp/verdict-was-here')" },
    { tries: "to remove a file", code: "import sys\nos.unlink(sys.prefix + '/pyvenv.cfg')" },
    { tries: "to rename a file", code: "import sys\nos.rename(sys.prefix + '/pyvenv.cfg', sys.prefix + '/x')" },
    { tries: "to read the server's environment", code: "open(f'/proc/{server}/environ', 'rb').read()" },
    { tries: "to read its own environment", code: "open('/proc/self/environ', 'rb').read()" },
    { tries: "to write the server's memory", code: "open(f'/proc/{server}/mem', 'r+b')" },
    { tries: "to start a program", code: "os.execv('/bin/sh', ['sh', '-c', 'exit 9'])" },
  ],
  seccomp: [
    { tries: "to fork", code: "if os.fork() == 0: os._exit(0)" },
    {
      tries: "to fork by clone3",
      code: `${libc}\ntry: call(435, 0, 0)\nexcept OSError as error:\n    if error.errno == 38: raise PermissionError`,
    },
    { tries: "to start a program", code: "os.execv('/bin/true', ['true'])" },
    { tries: "to spawn a program", code: "import subprocess\nsubprocess.run(['/bin/true'])" },
    { tries: "to open a socket", code: "__import__('socket').socket()" },
    { tries: "to open a pair of sockets", code: "__import__('socket').socketpair()" },
    { tries: "to connect", code: "__import__('socket').create_connection(('127.0.0.1', 1))" },
    { tries: "to kill the server", code: "os.kill(server, 9)" },
    { tries: "to look whether the server lives", code: "os.kill(server, 0)" },
    { tries: "to kill everybody", code: "os.kill(-1, 9)" },
    {
      tries: "to signal a thread of the server",
      code: `${libc}\ncall(__import__('platform').machine() == 'x86_64' and 234 or 131, server, server, 9)`,
    },
    {
      tries: "to trace the server",
      code: `${libc}\ncall(__import__('platform').machine() == 'x86_64' and 101 or 117, 16, server, 0, 0)`,
    },
    { tries: "to open the server by a descriptor", code: "os.pidfd_open(server)" },
    {
      tries: "to bound the server",
      code: "resource = __import__('resource')\nresource.prlimit(server, resource.RLIMIT_CPU, (1, 1))",
    },
    { tries: "to slow the server down", code: "os.setpriority(os.PRIO_PROCESS, server, 19)" },
    { tries: "to leave its group", code: "os.setpgid(0, 0)" },
    { tries: "to leave its session", code: "os.setsid()" },
    {
      tries: "to mount",
      code: `${libc}\nchecked(libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))`,
    },
    {
      tries: "to enter new namespaces",
      code: `${libc}\nchecked(libc.unshare(0x10000000))`,
    },
    { tries: "to watch the names in a directory", code: `${libc}\nchecked(libc.inotify_init1(0))` },
    { tries: "to make a file in memory", code: "os.memfd_create('more')" },
    {
      tries: "to leave memory behind",
      code: `${libc}\nchecked(libc.shmget(0, 4096, 0o1600))`,
    },
    { tries: "to change the rights of a file", code: "import sys\nos.chmod(sys.prefix + '/pyvenv.cfg', 0o777)" },
    { tries: "to change the times of a file", code: "import sys\nos.utime(sys.prefix + '/pyvenv.cfg', (1, 1))" },
    { tries: "to remove a file", code: "os.unlink('/tmp/verdict-is-not-here')" },
  ],
  "audit hook": [
    { tries: "to read a file", code: "open('/etc/passwd').read()" },
    { tries: "to write a file", code: "open('/tmp/verdict-was-here', 'w')" },
    { tries: "to write by descriptor", code: "os.open('/tmp/verdict-was-here', os.O_CREAT | os.O_WRONLY)" },
    { tries: "to list a directory", code: "os.listdir('/')" },
    { tries: "to fork", code: "if os.fork() == 0: os._exit(0)" },
    { tries: "to start a program", code: "import subprocess\nsubprocess.run(['/bin/true'])" },
    { tries: "to run a shell", code: "os.system('true')" },
    { tries: "to open a socket", code: "__import__('socket').create_connection(('127.0.0.1', 1))" },
    { tries: "to open a library", code: "import ctypes\nctypes.CDLL('libc.so.6')" },
    { tries: "to kill the server", code: "os.kill(server, 0)" },
    { tries: "to read, all globals replaced", code: withGlobalsReplaced("open('/etc/passwd').read()") },
    { tries: "to write, all globals replaced", code: withGlobalsReplaced("open('/tmp/verdict-was-here', 'w')") },
    { tries: "to list, all globals replaced", code: withGlobalsReplaced("os.listdir('/')") },
    { tries: "to run, all globals replaced", code: withGlobalsReplaced("os.system('true')") },
  ],
};

/** Looks through the pages around its objects, its heap and its large blocks; a pipe shows which of them are there. */
const reads_its_memory = `
import ctypes
r, w = os.pipe()
large = bytes(3_000_000)
near = [id(object()), id(large), ctypes.addressof(ctypes.create_string_buffer(2_000))]
pages, found = set(), []
for place in near:
    for page in range((place >> 12) - 20_000, (place >> 12) + 20_000):
        try: os.write(w, (ctypes.c_char * 4096).from_address(page << 12))
        except OSError: continue
        text = os.read(r, 4096)
        for what in (b"the text of", b"the answer for"):
            if what + b" another" in text: found.append(what.decode())
        pages.add(page)
say(pages=len(pages), found=found)`;

describe.skipIf(!has_python)("the sandbox, when a program broke out of the restricted Python", () => {
  let server: ForkServer;
  let before: Family;
  beforeAll(async () => {
    server = await startServer([]);
    await isolationOf(server);
    before = await family();
  }, real_setup_ms_max);
  afterAll(() => server?.discard());

  /** The job after it is as it should be, in the same server, and nothing is left behind. */
  afterEach(async () => {
    expect((await run(server, "say(a=1)")).end).toEqual({ kind: "result", result: { a: 1 } });
    expect(server.alive).toBe(true);
    if (sees_processes) expect(await familyOnce(before)).toEqual(before);
  });

  it("says which layers hold, from the outermost in", async () => {
    const isolation = await isolationOf(server);
    expect(isolation).toEqual([...layers, "restricted Python"].filter((layer) => isolation.includes(layer)));
    expect(isolation).toContain("audit hook");
  });

  it.each([
    ["ends itself", "os._exit(7)", /code 7/],
    ["kills itself", "import signal\nsignal.raise_signal(9)\nimport ctypes\nctypes.string_at(0)", /signal|killed/],
    ["crashes", "import ctypes\nctypes.string_at(0)", /signal 11|killed/],
    ["closes its channel and goes on", "os.close(3)\nwhile True: pass", /closed its output|ended/],
    ["writes no JSON", "frame(b'no json\\n')\nwhile True: pass", /could not be parsed/],
    ["writes a list", "frame([1])\nwhile True: pass", /could not be parsed/],
    ["writes deep JSON", "frame(b'[' * 100_000 + b'\\n')\nwhile True: pass", /could not be parsed/],
    [
      "writes a number of four million digits",
      "frame(b'{\"result\": ' + b'1' * 4_000_000 + b', \"id\": 0}\\n')",
      /could not be parsed/,
    ],
    ["writes a number that JSON has not", "frame(b'{\"result\": NaN}\\n')", /could not be parsed/],
    ["writes an empty frame", "frame({})", /could not be parsed/],
    ["writes a frame of the wrong kind", "frame({'printed': 5})\nwhile True: pass", /could not be parsed/],
  ])("tells of a job that %s", async (_what, program, told) => {
    const { end } = await run(server, program, 5_000);
    expect(end.kind).toBe("died");
    expect(end.kind === "died" && end.how).toMatch(told);
  });

  it("lets no job find the text or the answer of an earlier one in its memory", async () => {
    const items = Array.from(
      { length: 2_000 },
      (_, i) => `say(a${i}='the answer for another ${i}') # the text of another`,
    );
    expect((await server.run({ items }, new Deadline(10_000))).end.kind).toBe("result");
    // The process that waited already takes this one; the next was forked when the job had been passed on.
    await run(server, "say(a=1)", 10_000);
    const { end } = await run(server, reads_its_memory, 60_000);
    expect(end).toEqual({ kind: "result", result: { pages: expect.any(Number), found: [] } });
    expect(end.kind === "result" && end.result).toHaveProperty(
      "pages",
      expect.toSatisfy((pages) => pages > 1_000),
    );
    // Of two that come at once, the second one has no process that waits for it.
    const small = server.run({ items: items.slice(0, 300) }, new Deadline(10_000));
    const [beside] = await Promise.all([run(server, reads_its_memory, 60_000), small]);
    expect(beside.end).toMatchObject({ kind: "result", result: { found: [] } });
  });

  it("ends a job that starts threads without end", async (context) => {
    if (process.platform !== "linux") context.skip();
    const program =
      "import _thread, time\nhold = _thread.allocate_lock()\nhold.acquire()\n_thread.stack_size(32_768)\nwhile True: _thread.start_new_thread(hold.acquire, ())";
    expect((await run(server, program, 60_000)).end).toMatchObject({ kind: "died", from_outside: "killed" });
  });

  it("lets no job speak for another", async () => {
    const other = run(server, "import time\ntime.sleep(1)\nsay(mine=True)");
    const frames = Array.from({ length: 60 }, (_, id) => `frame({'id': ${id}, 'ended': 'done', 'printed': 'x'})`);
    await run(server, frames.join("\n"), 5_000);
    expect((await other).end).toEqual({ kind: "result", result: { mine: true } });
  });

  it.each([
    ["one endless line", "while True: os.write(3, b'x' * 65536)"],
    ["endless frames", "while True: frame({'printed': 'x' * 60000})"],
  ])("ends a job that writes %s", async (_what, program) => {
    const { end } = await run(server, program, 10_000);
    expect(["output", "deadline"]).toContain(end.kind);
  });

  it.each([
    [
      "a thread that outlives main",
      "import threading, time\nthreading.Thread(target=lambda: time.sleep(600)).start()\nsay(a=1)",
    ],
    ["an exit handler that does not end", "import atexit, time\natexit.register(lambda: time.sleep(600))\nsay(a=1)"],
    [
      "a fork bomb",
      "def bomb():\n    while True:\n        try: os.fork()\n        except Exception: break\nbomb()\nsay(a=1)",
    ],
    [
      "threads without end",
      "import threading, time\ntry:\n    for _ in range(500): threading.Thread(target=time.sleep, args=(600,)).start()\nexcept BaseException: pass\nsay(a=1)",
    ],
  ])("leaves nothing of %s", async (_what, program) => {
    const { end } = await run(server, program, 10_000);
    expect(["result", "died", "deadline", "error"]).toContain(end.kind);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGXCPU"])("ends a job that ignores %s at its deadline", async (signal) => {
    const ignoring = `import ctypes, signal\nctypes.CDLL(None).signal(int(signal.${signal}), 1)\nwhile True: pass`;
    const { end } = await run(server, ignoring, 1_500);
    expect(["deadline", "error"]).toContain(end.kind);
  });

  it("gives a job no environment, no descriptors but its channel, and no input", async () => {
    const look = [
      "held = []",
      "for descriptor in range(256):",
      "    try: os.fstat(descriptor)",
      "    except OSError: continue",
      "    held.append(descriptor)",
      "say(environment=dict(os.environ), held=held, read=os.read(0, 10).decode())",
    ].join("\n");
    const { end } = await run(server, look);
    expect(end).toEqual({ kind: "result", result: { environment: {}, held: [0, 1, 2, 3], read: "" } });
  });

  it("bounds what a job may use, where it says that it does", async (context) => {
    if (!(await isolationOf(server)).includes("rlimits")) context.skip();
    const look =
      "import resource\nsay(**{n: resource.getrlimit(getattr(resource, n))[1] for n in ('RLIMIT_CPU', 'RLIMIT_CORE', 'RLIMIT_NOFILE')})";
    const { end } = await run(server, look, 10_000);
    expect(end).toMatchObject({ kind: "result", result: { RLIMIT_CORE: 0, RLIMIT_NOFILE: 64 } });
  });

  it("puts it into namespaces of its own, where it says that it does", async (context) => {
    if (!(await isolationOf(server)).includes("namespaces")) context.skip();
    const look = "say(pid=os.getpid(), parent=os.getppid())";
    const { end } = await run(server, look);
    // Numbers count from 1 in a process namespace: the fork server is its first process.
    expect(end).toMatchObject({ kind: "result", result: { parent: 1 } });
  });
});

for (const layer of ["landlock", "seccomp", "audit hook"] as const) {
  describe.skipIf(!has_python)(`the layer ${layer} alone`, () => {
    let server: ForkServer;
    let holds = false;
    beforeAll(async () => {
      server = await startServer(layers.filter((each) => each !== layer));
      holds = (await isolationOf(server)).includes(layer);
    }, real_setup_ms_max);
    beforeEach((context) => {
      // This kernel lacks it, and the server reports that.
      if (!holds) context.skip();
    });
    afterAll(() => server?.discard());

    it.each(refusals[layer])("refuses $tries", async ({ code }) => {
      expect(await outcomeOf(server, code)).toMatchObject(refused);
      expect((await run(server, "say(a=1)")).end).toEqual({ kind: "result", result: { a: 1 } });
    });
  });
}

describe.skipIf(!has_python)("without any layer", () => {
  let server: ForkServer;
  let before: Family;
  beforeAll(async () => {
    server = await startServer(["namespaces", "landlock", "seccomp", "audit hook"]);
    await isolationOf(server);
    before = await family();
  }, real_setup_ms_max);
  afterAll(() => server?.discard());

  it("says that none holds, and the attempts of these tests would succeed", async () => {
    expect(await isolationOf(server)).toEqual(["rlimits", "restricted Python"]);
    for (const code of [
      "open('/etc/passwd').read()",
      "os.listdir('/')",
      "__import__('socket').socket()",
      "os.kill(server, 0)",
    ]) {
      expect(await outcomeOf(server, code)).toEqual({ outcome: "done" });
    }
  });

  it("ends what a job started, all the same", async () => {
    if (!sees_processes) return;
    const { end } = await run(server, "import time\nif os.fork() == 0: time.sleep(600)\nsay(a=1)");
    expect(end).toEqual({ kind: "result", result: { a: 1 } });
    expect(await familyOnce(before)).toEqual(before);
  });
});

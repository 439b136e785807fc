/** Programs that try to leave the sandbox, and what each of them tries; none may get anywhere. */
export interface Attempt {
  readonly tries: string;
  readonly language?: "z3" | "pysat";
  readonly items: readonly string[];
}

const generator = "def numbers():\n    yield 1\nrunning = numbers()";
const field_of = "from dataclasses import dataclass, fields, asdict, astuple, replace";

/** Each ends in a fault that says what is not for a model, before or while it runs. */
export const attempts: readonly Attempt[] = [
  { tries: "to read a file", items: ["print(open('/etc/passwd').read())"] },
  { tries: "to write a file", items: ["open('/tmp/verdict-was-here', 'w').write('x')"] },
  {
    tries: "to read a file through PySAT",
    language: "pysat",
    items: ["from pysat.formula import CNF\nCNF(from_file='/etc/passwd')"],
  },
  {
    tries: "to write a file through PySAT",
    language: "pysat",
    items: ["from pysat.formula import CNF\nCNF().to_file('/tmp/verdict-was-here')"],
  },
  { tries: "to read a file through Z3", items: ["s = Solver()\ns.from_file('/etc/passwd')"] },
  { tries: "to read a file through a fixed point", items: ["Fixedpoint().parse_file('/etc/passwd')"] },
  { tries: "to write a file by a parameter of Z3", items: ["set_param('smtlib2_log', '/tmp/verdict-was-here')"] },
  {
    tries: "to write a file by SMT-LIB",
    items: ["s = Solver()\ns.from_string('(set-option :regular-output-channel \"/tmp/verdict-was-here\")')"],
  },
  {
    tries: "to write a file by parsed SMT-LIB",
    items: ["parse_smt2_string('(set-option :regular-output-channel \"/tmp/verdict-was-here\")')"],
  },
  { tries: "to set a parameter behind the back of set", items: ["p = ParamsRef()\np.set('dump_models', True)"] },
  { tries: "to write a log of a solver", items: ["s = Solver(logFile='/tmp/verdict-was-here')"] },
  { tries: "to open a socket", items: ["import socket"] },
  { tries: "to start a program", items: ["import subprocess"] },
  {
    tries: "to put its own builtins in the place of the guards",
    items: ["match {'__private__': lambda value, name: value}:\n    case __builtins__:\n        pass", "print(1)"],
  },
  { tries: "to name its own builtins by a function", items: ["def __builtins__():\n    pass"] },
  { tries: "to take the loaded modules from sys", items: ["import sys\nprint(sys.modules)"] },
  { tries: "to take the frames from sys", items: ["from sys import _getframe"] },
  { tries: "to reach a stream behind sys", items: ["import sys\nprint(sys.stdout.buffer)\nsys.stdout._channel"] },
  { tries: "to open a file by io", items: ["import io\nio.open('/etc/passwd')"] },
  { tries: "to open a file by io.FileIO", items: ["from io import FileIO"] },
  { tries: "to list files by os", items: ["import os\nos.listdir('/')"] },
  { tries: "to take the module that os.path belongs to", items: ["from os import path\nprint(path.os)"] },
  { tries: "to take the module that csv imports", items: ["import csv\nprint(csv.io)"] },
  { tries: "to import what strptime imports", items: ["import _strptime"] },
  { tries: "to call C", items: ["import ctypes"] },
  { tries: "to start a thread", items: ["import threading"] },
  { tries: "to fork", items: ["import os\nwhile True:\n    os.fork()"] },
  { tries: "to end its process", items: ["import os\nos._exit(3)"] },
  { tries: "to kill its process", items: ["import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"] },
  { tries: "to read the environment", items: ["from os import environ\nprint(environ)"] },
  { tries: "to import by a function", items: ["__import__('os')"] },
  { tries: "to import through a module's own imports", items: ["import random._os"] },
  { tries: "to take a module from Z3", items: ["import z3\nprint(z3.os)"] },
  { tries: "to take a module from random", items: ["import random\nprint(random._os)"] },
  { tries: "to take a module from PySAT", language: "pysat", items: ["from pysat.solvers import os"] },
  { tries: "to take a module from collections", items: ["from collections.abc import sys"] },
  {
    tries: "to take what PySAT imports for itself",
    language: "pysat",
    items: ["from pysat.formula import FileObject"],
  },
  { tries: "to import a loaded part of Z3", items: ["from z3 import z3printer\nprint(z3printer)"] },
  { tries: "to import a loaded part of Python", items: ["from collections import abc as a, _collections_abc"] },
  { tries: "to import from a parent", items: ["from . import sandbox"] },
  { tries: "to import the runner", items: ["import verdict_runner"] },
  { tries: "to evaluate text", items: ["eval('1')"] },
  { tries: "to run text", items: ["exec('import os')"] },
  { tries: "to walk the subclasses", items: ["print(().__class__.__base__.__subclasses__())"] },
  { tries: "to walk them by getattr", items: ["print(getattr((), '__cla' + 'ss__'))"] },
  { tries: "to name the builtins", items: ["print(__builtins__)"] },
  { tries: "to reach the builtins by globals", items: ["print(globals()['__builtins__'])"] },
  {
    tries: "to reach them by a key that equals any text",
    items: [
      "class Key:\n    def __hash__(self): return hash('__builtins__')\n    def __eq__(self, other): return True\nprint(globals()[Key()])",
    ],
  },
  { tries: "to put its own function in place of a hidden one", items: ["globals()['__bare__'] = print"] },
  {
    tries: "to walk by a text that lies about itself",
    items: [
      "class Text(str):\n    def startswith(self, *any): return False\n    def __len__(self): return 0\nprint(getattr(1, Text('__class__')))",
    ],
  },
  { tries: "to walk by str.format", items: ["class A: pass\nprint('{0.__init__.__globals__}'.format(A()))"] },
  { tries: "to walk by an unbound str.format", items: ["print(str.format('{0.__class__}', 1))"] },
  { tries: "to walk by format_map", items: ["f = '{a.__class__}'.format_map\nprint(f({'a': 1}))"] },
  { tries: "to walk by a mapped format", items: ["print(list(map('{0.__class__}'.format, [1])))"] },
  { tries: "to walk by getattr of format", items: ["print(getattr('{0.__class__}', 'format')(1))"] },
  {
    tries: "to walk by string.Formatter",
    items: ["import string\nprint(string.Formatter().format('{0.__class__}', 1))"],
  },
  { tries: "to walk by attrgetter", items: ["import operator\nprint(operator.attrgetter('__class__')(1))"] },
  { tries: "to walk by methodcaller", items: ["from operator import methodcaller"] },
  {
    tries: "to read attributes by a pattern",
    items: [`${generator}\nmatch running:\n    case object(gi_frame=frame):\n        print(frame)`],
  },
  {
    tries: "to read attributes by places of a pattern",
    items: [
      `${generator}\nfrom abc import ABC\n${field_of}\n@dataclass\nclass Any(ABC):\n    gi_frame: int\nAny.register(type(running))\nmatch running:\n    case Any(frame):\n        print(frame)`,
    ],
  },
  { tries: "to read a generator's frame", items: [`${generator}\nprint(running.gi_frame.f_back)`] },
  {
    tries: "to read a generator's frame by getattr",
    items: [`${generator}\nprint(getattr(running, 'gi_' + 'frame'))`],
  },
  {
    tries: "to read a traceback's frame",
    items: ["try:\n    1 / 0\nexcept Exception as error:\n    print(error.__traceback__.tb_frame)"],
  },
  { tries: "to read a function's globals", items: ["print(Int.__globals__)"] },
  { tries: "to read the globals under a bound method", items: ["print(Solver().check.__func__.__globals__)"] },
  {
    tries: "to read the globals under a partial",
    items: ["import functools\nprint(functools.partial(Int).func.__globals__)"],
  },
  {
    tries: "to read what a decorator wrapped",
    items: ["import functools\nprint(functools.lru_cache(Int).__wrapped__.__globals__)"],
  },
  { tries: "to evaluate annotations", items: ["from typing import get_type_hints"] },
  {
    tries: "to take the class of classes from typing",
    items: ["import typing\nprint(typing.get_origin(typing.Type))"],
  },
  { tries: "to make a class without a statement", items: ["type('X', (), {})"] },
  { tries: "to make one by the class of a class", items: ["type(type(1))('X', (), {})"] },
  { tries: "to make one by the class of ABC", items: ["from abc import ABC\ntype(ABC)('X', (), {})"] },
  { tries: "to take a metaclass", items: ["from abc import ABCMeta"] },
  { tries: "to name a metaclass", items: ["class M(metaclass=print): pass"] },
  { tries: "to hand over a metaclass unnamed", items: ["class M(**{'metaclass': print}): pass"] },
  {
    tries: "to make code of a dataclass's field",
    items: [`from typing import TypedDict\n${field_of}\ndataclass(TypedDict('T', {'a: print(1)': int}))`],
  },
  {
    tries: "to reach a parser of arguments, which reads files, by an action",
    items: ["import argparse\nargparse.ArgumentParser().add_argument('--x', action=lambda **_: None)"],
  },
  {
    tries: "to rename a dataclass's field",
    items: [`${field_of}\n@dataclass\nclass D:\n    a: int\nfields(D)[0].name = '__globals__'`],
  },
  {
    tries: "to make a class of a module by an enumeration",
    items: ["import enum\nenum.IntEnum._convert_('E', 'os', lambda name: True)"],
  },
  {
    tries: "to do so by an enumeration of its own",
    items: ["import enum\nclass E(enum.IntEnum):\n    pass\nE._convert_('E', 'os', lambda name: True)"],
  },
  {
    tries: "to read another module by the class of an enumeration",
    items: [
      "import enum\nclass E(enum.Enum): pass\nE._convert_('P', 'verdict_runner.sandbox.guards', lambda name: name == 'sys')",
    ],
  },
  {
    tries: "to read it by getattr",
    items: ["import enum\nclass E(enum.Enum): pass\ngetattr(E, '_con' + 'vert_')"],
  },
  { tries: "to call the class of an ABC", items: ["from abc import ABC\nclass A(ABC): pass\nA._dump_registry()"] },
  {
    tries: "to copy the attributes of a class into a function",
    items: ["import functools\nkind = functools.lru_cache(Exception)\nprint(kind.add_note)"],
  },
  {
    tries: "to make an enumeration with steering names",
    items: ["import enum\nenum.Enum('E', {'__reduce_ex__': 1, 'A': 2})"],
  },
  { tries: "to mix an engine into an enumeration", items: ["import enum\nenum.Enum('E', 'A', type=Solver)"] },
  {
    tries: "to copy by a recipe of its own",
    items: [
      "import copy\nclass A:\n    def __reduce_ex__(self, protocol): return (print, ('copied',))\ncopy.copy(A())",
    ],
  },
  { tries: "to say how others are copied", items: ["import copy\ncopy.dispatch_table[int] = print"] },
  {
    tries: "to reach a module's private function by json",
    items: ["import json\njson.loads('{\"a\": 1}', object_hook=lambda found: found.__class__)"],
  },
  { tries: "to decide what is an instance", items: ["class M:\n    def __instancecheck__(self, any): return True"] },
  {
    tries: "to be told the names of attributes",
    items: ["class A:\n    def __set_name__(self, owner, name): print(owner)"],
  },
  { tries: "to be indexed as a class", items: ["class A:\n    def __class_getitem__(cls, any): return any"] },
  { tries: "to run when it is destroyed", items: ["class A:\n    def __del__(self): print('later')"] },
  { tries: "to prepare a class's body", items: ["class A:\n    def __prepare__(name, bases): return {}"] },
  { tries: "to be a descriptor", items: ["class A:\n    def __get__(self, owner, kind): return owner"] },
  { tries: "to bind a steering name by an import", items: ["class A:\n    import math as __match_args__"] },
  { tries: "to bind one by a class", items: ["class A:\n    class __match_args__: pass"] },
  { tries: "to take private parts of a library", items: ["import random\nprint(random.Random()._randbelow)"] },
  {
    tries: "to take the stream that is printed to",
    items: ["import pprint\nclass P(pprint.PrettyPrinter): pass\nprint(P()._stream._channel)"],
  },
  { tries: "to make a pointer", items: ["AstRef(0x41414141)"] },
  { tries: "to move a pointer", items: ["x = Int('x')\nx.ast.value = 0x41414141"] },
  { tries: "to take the class of pointers", items: ["x = Int('x')\nprint(type(x.ast)(0x41414141))"] },
  { tries: "to read memory at an address", items: ["x = Int('x')\nprint(x.ast.from_address(1))"] },
  {
    tries: "to hand over a pointer as a term",
    items: ["class Term:\n    def as_ast(self): return 0x41414141\n    ctx = Int('x').ctx\nAtMost(Term(), Term(), 1)"],
  },
  { tries: "to change what a C function takes", items: ["x = Int('x')\nx.ctx.eh.restype = None"] },
  { tries: "to make a context with parameters", items: ["x = Int('x')\ntype(x.ctx)(trace=True)"] },
  {
    tries: "to be told what a library's function holds",
    items: [
      "from collections import defaultdict\nprint('{0[a]._variable}'.format(defaultdict(locals)))\n'{a[value].x}'.format_map(defaultdict(locals))",
    ],
  },
  {
    tries: "to be asked for a recipe by copy",
    items: [
      "import copy\nclass A:\n    def __getattr__(self, name): return lambda *any: name\nprint(copy.copy(A()).__init_subclass__)",
    ],
  },
  {
    tries: "to name a field of a dataclass by a property",
    items: [
      `${field_of.replace("fields", "fields, Field")}\nclass F(Field):\n    name = property(lambda self: 'a=print(1)', lambda self, name: None)\n@dataclass\nclass D:\n    x: int = F(1, None, True, True, None, True, None, False)`,
    ],
  },
  {
    tries: "to walk by the format of a UserString",
    items: ["from collections import UserString\nprint(UserString('{0.__class__}').format(1))"],
  },
  {
    tries: "to walk by the format of a parent",
    items: ["class T(str):\n    def f(self): return super().format(1)\nprint(T('{0.__class__}').f())"],
  },
  {
    tries: "to walk by the format_map of a parent",
    items: ["class T(str):\n    def f(self): return super().format_map({'a': 1})\nprint(T('{a.__class__}').f())"],
  },
  {
    tries: "to walk by the format of an annotation",
    items: ["from typing import Annotated\nprint(Annotated[str, 1].format('{0.__class__}', 1))"],
  },
  {
    tries: "to set attributes of a library by a dataclass's __init__",
    items: [`${field_of}\nimport json\n@dataclass\nclass D:\n    check: object\nD.__init__(json.JSONEncoder, 1)`],
  },
  {
    tries: "to set them by the __init__ of a parent",
    items: [
      `${field_of}\nimport json\n@dataclass\nclass D:\n    encode: object\nclass E(D): pass\nsuper(E, E).__init__(json.JSONEncoder, print)`,
    ],
  },
  {
    tries: "to set them by a library's __init__",
    items: ["import json, collections\ncollections.UserList.__init__(json.JSONEncoder, [1])"],
  },
  { tries: "to make a context anew", items: ["Int('x').ctx.__init__(trace=True)"] },
  { tries: "to make a context anew by getattr", items: ["getattr(Int('x').ctx, '__init__')(trace=True)"] },
  {
    tries: "to make a property of a library anew",
    items: ["from fractions import Fraction\nproperty.__init__(Fraction.numerator, lambda self: 7)"],
  },
  {
    tries: "to take the class of classes from an exception",
    items: ["import typing\ntry: typing.Type.nothing\nexcept AttributeError as error: print(error.obj)"],
  },
  {
    tries: "to take it by a pattern",
    items: [
      "import typing\ntry: typing.Type.nothing\nexcept AttributeError as error:\n    match error:\n        case AttributeError(obj=kind): print(kind)",
    ],
  },
  {
    tries: "to take it by getattr",
    items: ["import typing\ntry: typing.Type.nothing\nexcept AttributeError as error: print(getattr(error, 'obj'))"],
  },
  {
    tries: "to have another base the second time",
    items: ["class S:\n    def __getattr__(self, name): return lambda bases: (Solver,)\nclass M(S()): pass"],
  },
  {
    tries: "to make objects without their class",
    items: ["import enum\nclass E(enum.Enum):\n    A = 1\nprint(E._new_member_)"],
  },
  { tries: "to read attributes by a member's property", items: ["import enum\nclass P(enum.property): pass"] },
  { tries: "to be a proxy of its parents", items: ["class S(super): pass"] },
  { tries: "to copy a context", items: ["import copy\ncopy.copy(Int('x').ctx)"] },
  { tries: "to copy a context in a list", items: ["import copy\ncopy.deepcopy([Int('x').ctx])"] },
  {
    tries: "to copy a solver",
    language: "pysat",
    items: ["import copy\nfrom pysat.solvers import Solver\ncopy.copy(Solver())"],
  },
  {
    tries: "to set a parameter whose name changes",
    items: [
      "class S:\n    n = 0\n    def __str__(self):\n        S.n += 1\n        return 'timeout' if S.n < 2 else 'smtlib2_log'\nset_param(S(), '/tmp/verdict-was-here')",
    ],
  },
  {
    tries: "to set one of a solver by a text that lies",
    items: ["class S(str):\n    def __str__(self): return 'timeout'\nSolver().set(S('smt.arith.ignore_int'), True)"],
  },
  {
    tries: "to give SMT-LIB that changes when it is encoded",
    items: [
      "class T(str):\n    def encode(self, *any): return b'(set-option :regular-output-channel \"/tmp/verdict-was-here\")'\nSolver().from_string(T('(assert oops)'))",
    ],
  },
];

const copied = "import copy\ncopy.copy(A())";
const recipe = "lambda *any: (print, ('by its own recipe',))";

/** Each a way to bind a name between double underscores, by which Python itself or a library would be steered. */
export function dunderRoutes(name: string): readonly Attempt[] {
  const slot = `lambda self, name: ${recipe}`;
  return [
    { tries: "by a slot", items: [`class A:\n    __slots__ = ('${name}',)\n    __getattr__ = ${slot}`, copied] },
    {
      tries: "by slots that are read once",
      items: [`class A:\n    __slots__ = iter(['${name}'])\n    __getattr__ = ${slot}`, copied],
    },
    {
      tries: "by a slot of a text that lies",
      items: [`class T(str):\n    def startswith(self, *any): return False\nclass A:\n    __slots__ = (T('${name}'),)`],
    },
    { tries: "by an assignment in a class", items: [`class A:\n    ${name} = print`] },
    { tries: "by a loop in a class", items: [`class A:\n    for ${name} in [print]: pass`] },
    { tries: "by an assignment to a class", items: [`class A: pass\nA.${name} = print`] },
    { tries: "by setattr on a class", items: [`class A: pass\nsetattr(A, '${name}', print)`] },
    { tries: "by setattr on an instance", items: [`class A: pass\nsetattr(A(), '${name}', print)`] },
    { tries: "by an enumeration of texts", items: [`import enum\nenum.Enum('E', '${name}')`] },
    { tries: "by an enumeration of pairs", items: [`import enum\nenum.Enum('E', [('${name}', 1)])`] },
    {
      tries: "by an enumeration of a pair that changes",
      items: [
        `import enum\nclass P:\n    def __getitem__(self, i): return 'A'\n    def __iter__(self): return iter(['${name}', print])\nenum.Enum('E', [P()])`,
      ],
    },
    { tries: "by a named tuple", items: [`from collections import namedtuple\nnamedtuple('N', ['${name}'])`] },
    { tries: "by a typed named tuple", items: [`from typing import NamedTuple\nNamedTuple('N', [('${name}', int)])`] },
    {
      tries: "by a class made of texts",
      items: [
        `import typing\ntry: typing.Type.nothing\nexcept AttributeError as error: error.obj('A', (), {'${name}': print})`,
      ],
    },
    {
      tries: "by a cached property that is renamed",
      items: [
        `from functools import cached_property\nclass P(cached_property): pass\np = P(lambda self: ${recipe})\nclass A:\n    x = p\np.attrname = '${name}'\na = A()\na.x`,
      ],
    },
    { tries: "by names of locals", items: [`class A:\n    locals()['${name}'] = print\nprint(A.${name})`] },
  ];
}

/** Each tries to have an answer reported that no engine gave. */
export const forgeries: readonly Attempt[] = [
  { tries: "to replace check", items: ["Solver.check = lambda self: unsat"] },
  { tries: "to replace check by setattr", items: ["setattr(Solver, 'check', lambda self: unsat)"] },
  { tries: "to replace eval of models", items: ["ModelRef.eval = lambda self, *any, **more: BoolVal(True)"] },
  { tries: "to replace a function of the module", items: ["import z3\nz3.is_false = lambda any: False"] },
  { tries: "to delete a method", items: ["del Solver.assertions"] },
  { tries: "to change what unsat is", items: ["sat.r = unsat.r"] },
  { tries: "to make all answers equal", items: [`${field_of}\ndataclass(CheckSatResult)`] },
  { tries: "to order answers", items: ["from functools import total_ordering\ntotal_ordering(CheckSatResult)"] },
  {
    tries: "to be a solver",
    items: ["class Mine(Solver):\n    def check(self, *any): return unsat\nexport_solution(solver=Mine())"],
  },
  {
    tries: "to pass for a solver",
    items: ["class Mine: pass\nm = Mine()\nSolver.__init__(m)\nexport_solution(solver=m)"],
  },
  { tries: "to change a method in a loop's target", items: ["for Solver.check in [lambda self: unsat]:\n    pass"] },
  {
    tries: "to change one in a with statement",
    items: [
      "class C:\n    def __enter__(self): return lambda self: unsat\n    def __exit__(self, *any): pass\nwith C() as Solver.check:\n    pass",
    ],
  },
  { tries: "to change one in an unpacking", items: ["(Solver.check, a) = (lambda self: unsat, 1)"] },
  {
    tries: "to replace solve of PySAT",
    language: "pysat",
    items: ["from pysat.solvers import Solver\nSolver.solve = lambda self: True"],
  },
  {
    tries: "to replace it on one solver",
    language: "pysat",
    items: [
      "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1], [-1]])\ns.solver.solve = lambda *any: True",
    ],
  },
  {
    tries: "to put its own engine into a solver",
    language: "pysat",
    items: [
      "from pysat.solvers import Solver\nclass Yes:\n    def solve(self, *any): return True\ns = Solver()\ns.solver = Yes()",
    ],
  },
  {
    tries: "to call solve on an object of its own",
    language: "pysat",
    items: [
      "from pysat.solvers import Solver\nclass Yes:\n    def solve(self, *any): return True\nclass Mine: pass\nm = Mine()\nm.solver = Yes()\nSolver.solve(m)\nexport_solution({'satisfiable': True})",
    ],
  },
  {
    tries: "to be an optimiser",
    language: "pysat",
    items: ["from pysat.examples.rc2 import RC2\nclass Mine(RC2):\n    def compute_(self): return True"],
  },
  {
    tries: "to hide what a solver was given",
    language: "pysat",
    items: ["from pysat.solvers import Cadical195\ns = Cadical195(bootstrap_with=[[1]])\ns._verdict_log = None"],
  },
  {
    tries: "to be a solver by an annotation",
    items: ["from typing import Annotated\nclass Mine(Annotated[Solver, 1]):\n    def check(self, *any): return unsat"],
  },
  {
    tries: "to make a solver anew after its check",
    items: ["s = Solver()\ns.add(False)\ns.check()\ns.__init__()\nexport_solution(solver=s)"],
  },
  {
    tries: "to change a solver through another",
    items: ["s = Solver()\ns.check()\nother = Solver(s.solver)\nother.add(False)\nexport_solution(solver=s)"],
  },
  {
    tries: "to call check on an object of its own",
    items: ["class Mine: pass\nm, s = Mine(), Solver()\nm.ctx, m.solver = s.ctx, s.solver\nSolver.check(m)"],
  },
];

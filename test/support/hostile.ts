/** Programs that try to leave the sandbox, and what each of them tries; none may get anywhere. */
export interface Attempt {
  readonly tries: string;
  readonly language: "z3" | "pysat";
  readonly items: readonly string[];
}

/** The items of each attempt, by what it tries. */
function tried(language: Attempt["language"], all: Readonly<Record<string, string | string[]>>): Attempt[] {
  return Object.entries(all).map(([tries, items]) => ({ tries, language, items: [items].flat() }));
}

const generator = "def numbers():\n    yield 1\nrunning = numbers()";
const field_of = "from dataclasses import dataclass, fields, asdict, astuple, replace";

/** Each ends in a fault that says what is not for a model, before or while it runs. */
export const attempts: readonly Attempt[] = [
  ...tried("z3", {
    "to read a file": "print(open('/etc/passwd').read())",
    "to write a file": "open('/tmp/verdict-was-here', 'w').write('x')",
    "to read a file through Z3": "s = Solver()\ns.from_file('/etc/passwd')",
    "to read a file through a fixed point": "Fixedpoint().parse_file('/etc/passwd')",
    "to write a file by a parameter of Z3": "set_param('smtlib2_log', '/tmp/verdict-was-here')",
    "to write a file by SMT-LIB":
      "s = Solver()\ns.from_string('(set-option :regular-output-channel \"/tmp/verdict-was-here\")')",
    "to write a file by parsed SMT-LIB":
      "parse_smt2_string('(set-option :regular-output-channel \"/tmp/verdict-was-here\")')",
    "to set a parameter behind the back of set": "p = ParamsRef()\np.set('dump_models', True)",
    "to write a log of a solver": "s = Solver(logFile='/tmp/verdict-was-here')",
    "to open a socket": "import socket",
    "to start a program": "import subprocess",
    "to put its own builtins in the place of the guards": [
      "match {'__private__': lambda value, name: value}:\n    case __builtins__:\n        pass",
      "print(1)",
    ],
    "to name its own builtins by a function": "def __builtins__():\n    pass",
    "to take the loaded modules from sys": "import sys\nprint(sys.modules)",
    "to take the frames from sys": "from sys import _getframe",
    "to reach a stream behind sys": "import sys\nprint(sys.stdout.buffer)\nsys.stdout._channel",
    "to open a file by io": "import io\nio.open('/etc/passwd')",
    "to open a file by io.FileIO": "from io import FileIO",
    "to list files by os": "import os\nos.listdir('/')",
    "to take the module that os.path belongs to": "from os import path\nprint(path.os)",
    "to take the module that csv imports": "import csv\nprint(csv.io)",
    "to import what strptime imports": "import _strptime",
    "to call C": "import ctypes",
    "to start a thread": "import threading",
    "to fork": "import os\nwhile True:\n    os.fork()",
    "to end its process": "import os\nos._exit(3)",
    "to kill its process": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "to read the environment": "from os import environ\nprint(environ)",
    "to import by a function": "__import__('os')",
    "to import through a module's own imports": "import random._os",
    "to take a module from Z3": "import z3\nprint(z3.os)",
    "to take a module from random": "import random\nprint(random._os)",
    "to take a module from collections": "from collections.abc import sys",
    "to import a loaded part of Z3": "from z3 import z3printer\nprint(z3printer)",
    "to import a loaded part of Python": "from collections import abc as a, _collections_abc",
    "to import from a parent": "from . import sandbox",
    "to import the runner": "import verdict_runner",
    "to evaluate text": "eval('1')",
    "to run text": "exec('import os')",
    "to walk the subclasses": "print(().__class__.__base__.__subclasses__())",
    "to walk them by getattr": "print(getattr((), '__cla' + 'ss__'))",
    "to name the builtins": "print(__builtins__)",
    "to reach the builtins by globals": "print(globals()['__builtins__'])",
    "to reach them by a key that equals any text":
      "class Key:\n    def __hash__(self): return hash('__builtins__')\n    def __eq__(self, other): return True\nprint(globals()[Key()])",
    "to put its own function in place of a hidden one": "globals()['__bare__'] = print",
    "to walk by a text that lies about itself":
      "class Text(str):\n    def startswith(self, *any): return False\n    def __len__(self): return 0\nprint(getattr(1, Text('__class__')))",
    "to walk by str.format": "class A: pass\nprint('{0.__init__.__globals__}'.format(A()))",
    "to walk by an unbound str.format": "print(str.format('{0.__class__}', 1))",
    "to walk by format_map": "f = '{a.__class__}'.format_map\nprint(f({'a': 1}))",
    "to walk by a mapped format": "print(list(map('{0.__class__}'.format, [1])))",
    "to walk by getattr of format": "print(getattr('{0.__class__}', 'format')(1))",
    "to walk by string.Formatter": "import string\nprint(string.Formatter().format('{0.__class__}', 1))",
    "to walk by attrgetter": "import operator\nprint(operator.attrgetter('__class__')(1))",
    "to walk by methodcaller": "from operator import methodcaller",
    "to read attributes by a pattern": `${generator}\nmatch running:\n    case object(gi_frame=frame):\n        print(frame)`,
    "to read attributes by places of a pattern": `${generator}\nfrom abc import ABC\n${field_of}\n@dataclass\nclass Any(ABC):\n    gi_frame: int\nAny.register(type(running))\nmatch running:\n    case Any(frame):\n        print(frame)`,
    "to read a generator's frame": `${generator}\nprint(running.gi_frame.f_back)`,
    "to read a generator's frame by getattr": `${generator}\nprint(getattr(running, 'gi_' + 'frame'))`,
    "to read a traceback's frame":
      "try:\n    1 / 0\nexcept Exception as error:\n    print(error.__traceback__.tb_frame)",
    "to read a function's globals": "print(Int.__globals__)",
    "to read the globals under a bound method": "print(Solver().check.__func__.__globals__)",
    "to read the globals under a partial": "import functools\nprint(functools.partial(Int).func.__globals__)",
    "to read what a decorator wrapped": "import functools\nprint(functools.lru_cache(Int).__wrapped__.__globals__)",
    "to evaluate annotations": "from typing import get_type_hints",
    "to take the class of classes from typing": "import typing\nprint(typing.get_origin(typing.Type))",
    "to make a class without a statement": "type('X', (), {})",
    "to make one by the class of a class": "type(type(1))('X', (), {})",
    "to make one by the class of ABC": "from abc import ABC\ntype(ABC)('X', (), {})",
    "to take a metaclass": "from abc import ABCMeta",
    "to name a metaclass": "class M(metaclass=print): pass",
    "to hand over a metaclass unnamed": "class M(**{'metaclass': print}): pass",
    "to make code of a dataclass's field": `from typing import TypedDict\n${field_of}\ndataclass(TypedDict('T', {'a: print(1)': int}))`,
    "to reach a parser of arguments, which reads files, by an action":
      "import argparse\nargparse.ArgumentParser().add_argument('--x', action=lambda **_: None)",
    "to rename a dataclass's field": `${field_of}\n@dataclass\nclass D:\n    a: int\nfields(D)[0].name = '__globals__'`,
    "to make a class of a module by an enumeration":
      "import enum\nenum.IntEnum._convert_('E', 'os', lambda name: True)",
    "to do so by an enumeration of its own":
      "import enum\nclass E(enum.IntEnum):\n    pass\nE._convert_('E', 'os', lambda name: True)",
    "to read another module by the class of an enumeration":
      "import enum\nclass E(enum.Enum): pass\nE._convert_('P', 'verdict_runner.sandbox.guards', lambda name: name == 'sys')",
    "to read it by getattr": "import enum\nclass E(enum.Enum): pass\ngetattr(E, '_con' + 'vert_')",
    "to call the class of an ABC": "from abc import ABC\nclass A(ABC): pass\nA._dump_registry()",
    "to copy the attributes of a class into a function":
      "import functools\nkind = functools.lru_cache(Exception)\nprint(kind.add_note)",
    "to make an enumeration with steering names": "import enum\nenum.Enum('E', {'__reduce_ex__': 1, 'A': 2})",
    "to mix an engine into an enumeration": "import enum\nenum.Enum('E', 'A', type=Solver)",
    "to copy by a recipe of its own":
      "import copy\nclass A:\n    def __reduce_ex__(self, protocol): return (print, ('copied',))\ncopy.copy(A())",
    "to say how others are copied": "import copy\ncopy.dispatch_table[int] = print",
    "to reach a module's private function by json":
      "import json\njson.loads('{\"a\": 1}', object_hook=lambda found: found.__class__)",
    "to decide what is an instance": "class M:\n    def __instancecheck__(self, any): return True",
    "to be told the names of attributes": "class A:\n    def __set_name__(self, owner, name): print(owner)",
    "to be indexed as a class": "class A:\n    def __class_getitem__(cls, any): return any",
    "to run when it is destroyed": "class A:\n    def __del__(self): print('later')",
    "to prepare a class's body": "class A:\n    def __prepare__(name, bases): return {}",
    "to be a descriptor": "class A:\n    def __get__(self, owner, kind): return owner",
    "to bind a steering name by an import": "class A:\n    import math as __match_args__",
    "to bind one by a class": "class A:\n    class __match_args__: pass",
    "to take private parts of a library": "import random\nprint(random.Random()._randbelow)",
    "to take the stream that is printed to":
      "import pprint\nclass P(pprint.PrettyPrinter): pass\nprint(P()._stream._channel)",
    "to make a pointer": "AstRef(0x41414141)",
    "to move a pointer": "x = Int('x')\nx.ast.value = 0x41414141",
    "to take the class of pointers": "x = Int('x')\nprint(type(x.ast)(0x41414141))",
    "to read memory at an address": "x = Int('x')\nprint(x.ast.from_address(1))",
    "to hand over a pointer as a term":
      "class Term:\n    def as_ast(self): return 0x41414141\n    ctx = Int('x').ctx\nAtMost(Term(), Term(), 1)",
    "to change what a C function takes": "x = Int('x')\nx.ctx.eh.restype = None",
    "to make a context with parameters": "x = Int('x')\ntype(x.ctx)(trace=True)",
    "to be told what a library's function holds":
      "from collections import defaultdict\nprint('{0[a]._variable}'.format(defaultdict(locals)))\n'{a[value].x}'.format_map(defaultdict(locals))",
    "to be asked for a recipe by copy":
      "import copy\nclass A:\n    def __getattr__(self, name): return lambda *any: name\nprint(copy.copy(A()).__init_subclass__)",
    "to name a field of a dataclass by a property": `${field_of.replace("fields", "fields, Field")}\nclass F(Field):\n    name = property(lambda self: 'a=print(1)', lambda self, name: None)\n@dataclass\nclass D:\n    x: int = F(1, None, True, True, None, True, None, False)`,
    "to walk by the format of a UserString":
      "from collections import UserString\nprint(UserString('{0.__class__}').format(1))",
    "to walk by the format of a parent":
      "class T(str):\n    def f(self): return super().format(1)\nprint(T('{0.__class__}').f())",
    "to walk by the format_map of a parent":
      "class T(str):\n    def f(self): return super().format_map({'a': 1})\nprint(T('{a.__class__}').f())",
    "to walk by the format of an annotation":
      "from typing import Annotated\nprint(Annotated[str, 1].format('{0.__class__}', 1))",
    "to set attributes of a library by a dataclass's __init__": `${field_of}\nimport json\n@dataclass\nclass D:\n    check: object\nD.__init__(json.JSONEncoder, 1)`,
    "to set them by the __init__ of a parent": `${field_of}\nimport json\n@dataclass\nclass D:\n    encode: object\nclass E(D): pass\nsuper(E, E).__init__(json.JSONEncoder, print)`,
    "to set them by a library's __init__":
      "import json, collections\ncollections.UserList.__init__(json.JSONEncoder, [1])",
    "to make a context anew": "Int('x').ctx.__init__(trace=True)",
    "to make a context anew by getattr": "getattr(Int('x').ctx, '__init__')(trace=True)",
    "to make a property of a library anew":
      "from fractions import Fraction\nproperty.__init__(Fraction.numerator, lambda self: 7)",
    "to take the class of classes from an exception":
      "import typing\ntry: typing.Type.nothing\nexcept AttributeError as error: print(error.obj)",
    "to take it by a pattern":
      "import typing\ntry: typing.Type.nothing\nexcept AttributeError as error:\n    match error:\n        case AttributeError(obj=kind): print(kind)",
    "to take it by getattr":
      "import typing\ntry: typing.Type.nothing\nexcept AttributeError as error: print(getattr(error, 'obj'))",
    "to have another base the second time":
      "class S:\n    def __getattr__(self, name): return lambda bases: (Solver,)\nclass M(S()): pass",
    "to make objects without their class": "import enum\nclass E(enum.Enum):\n    A = 1\nprint(E._new_member_)",
    "to read attributes by a member's property": "import enum\nclass P(enum.property): pass",
    "to be a proxy of its parents": "class S(super): pass",
    "to copy a context": "import copy\ncopy.copy(Int('x').ctx)",
    "to copy a context in a list": "import copy\ncopy.deepcopy([Int('x').ctx])",
    "to set a parameter whose name changes":
      "class S:\n    n = 0\n    def __str__(self):\n        S.n += 1\n        return 'timeout' if S.n < 2 else 'smtlib2_log'\nset_param(S(), '/tmp/verdict-was-here')",
    "to set one of a solver by a text that lies":
      "class S(str):\n    def __str__(self): return 'timeout'\nSolver().set(S('smt.arith.ignore_int'), True)",
    "to give SMT-LIB that changes when it is encoded":
      "class T(str):\n    def encode(self, *any): return b'(set-option :regular-output-channel \"/tmp/verdict-was-here\")'\nSolver().from_string(T('(assert oops)'))",
  }),
  ...tried("pysat", {
    "to read a file through PySAT": "from pysat.formula import CNF\nCNF(from_file='/etc/passwd')",
    "to write a file through PySAT": "from pysat.formula import CNF\nCNF().to_file('/tmp/verdict-was-here')",
    "to take a module from PySAT": "from pysat.solvers import os",
    "to take what PySAT imports for itself": "from pysat.formula import FileObject",
    "to copy a solver": "import copy\nfrom pysat.solvers import Solver\ncopy.copy(Solver())",
  }),
];

const copied = "import copy\ncopy.copy(A())";
const recipe = "lambda *any: (print, ('by its own recipe',))";

/** Each a way to bind a name between double underscores, by which Python itself or a library would be steered. */
export function dunderRoutes(name: string): readonly Attempt[] {
  const slot = `lambda self, name: ${recipe}`;
  return tried("z3", {
    "by a slot": [`class A:\n    __slots__ = ('${name}',)\n    __getattr__ = ${slot}`, copied],
    "by slots that are read once": [`class A:\n    __slots__ = iter(['${name}'])\n    __getattr__ = ${slot}`, copied],
    "by a slot of a text that lies": `class T(str):\n    def startswith(self, *any): return False\nclass A:\n    __slots__ = (T('${name}'),)`,
    "by an assignment in a class": `class A:\n    ${name} = print`,
    "by a loop in a class": `class A:\n    for ${name} in [print]: pass`,
    "by an assignment to a class": `class A: pass\nA.${name} = print`,
    "by setattr on a class": `class A: pass\nsetattr(A, '${name}', print)`,
    "by setattr on an instance": `class A: pass\nsetattr(A(), '${name}', print)`,
    "by an enumeration of texts": `import enum\nenum.Enum('E', '${name}')`,
    "by an enumeration of pairs": `import enum\nenum.Enum('E', [('${name}', 1)])`,
    "by an enumeration of a pair that changes": `import enum\nclass P:\n    def __getitem__(self, i): return 'A'\n    def __iter__(self): return iter(['${name}', print])\nenum.Enum('E', [P()])`,
    "by a named tuple": `from collections import namedtuple\nnamedtuple('N', ['${name}'])`,
    "by a typed named tuple": `from typing import NamedTuple\nNamedTuple('N', [('${name}', int)])`,
    "by a class made of texts": `import typing\ntry: typing.Type.nothing\nexcept AttributeError as error: error.obj('A', (), {'${name}': print})`,
    "by a cached property that is renamed": `from functools import cached_property\nclass P(cached_property): pass\np = P(lambda self: ${recipe})\nclass A:\n    x = p\np.attrname = '${name}'\na = A()\na.x`,
    "by names of locals": `class A:\n    locals()['${name}'] = print\nprint(A.${name})`,
  });
}

/** Each tries to have an answer reported that no engine gave. */
export const forgeries: readonly Attempt[] = [
  ...tried("z3", {
    "to replace check": "Solver.check = lambda self: unsat",
    "to replace check by setattr": "setattr(Solver, 'check', lambda self: unsat)",
    "to replace eval of models": "ModelRef.eval = lambda self, *any, **more: BoolVal(True)",
    "to replace a function of the module": "import z3\nz3.is_false = lambda any: False",
    "to delete a method": "del Solver.assertions",
    "to change what unsat is": "sat.r = unsat.r",
    "to make all answers equal": `${field_of}\ndataclass(CheckSatResult)`,
    "to order answers": "from functools import total_ordering\ntotal_ordering(CheckSatResult)",
    "to be a solver": "class Mine(Solver):\n    def check(self, *any): return unsat\nexport_solution(solver=Mine())",
    "to pass for a solver": "class Mine: pass\nm = Mine()\nSolver.__init__(m)\nexport_solution(solver=m)",
    "to change a method in a loop's target": "for Solver.check in [lambda self: unsat]:\n    pass",
    "to change one in a with statement":
      "class C:\n    def __enter__(self): return lambda self: unsat\n    def __exit__(self, *any): pass\nwith C() as Solver.check:\n    pass",
    "to change one in an unpacking": "(Solver.check, a) = (lambda self: unsat, 1)",
    "to be a solver by an annotation":
      "from typing import Annotated\nclass Mine(Annotated[Solver, 1]):\n    def check(self, *any): return unsat",
    "to make a solver anew after its check":
      "s = Solver()\ns.add(False)\ns.check()\ns.__init__()\nexport_solution(solver=s)",
    "to change a solver through another":
      "s = Solver()\ns.check()\nother = Solver(s.solver)\nother.add(False)\nexport_solution(solver=s)",
    "to call check on an object of its own":
      "class Mine: pass\nm, s = Mine(), Solver()\nm.ctx, m.solver = s.ctx, s.solver\nSolver.check(m)",
  }),
  ...tried("pysat", {
    "to replace solve of PySAT": "from pysat.solvers import Solver\nSolver.solve = lambda self: True",
    "to replace it on one solver":
      "from pysat.solvers import Solver\ns = Solver(bootstrap_with=[[1], [-1]])\ns.solver.solve = lambda *any: True",
    "to put its own engine into a solver":
      "from pysat.solvers import Solver\nclass Yes:\n    def solve(self, *any): return True\ns = Solver()\ns.solver = Yes()",
    "to call solve on an object of its own":
      "from pysat.solvers import Solver\nclass Yes:\n    def solve(self, *any): return True\nclass Mine: pass\nm = Mine()\nm.solver = Yes()\nSolver.solve(m)\nexport_solution({'satisfiable': True})",
    "to be an optimiser": "from pysat.examples.rc2 import RC2\nclass Mine(RC2):\n    def compute_(self): return True",
    "to hide what a solver was given":
      "from pysat.solvers import Cadical195\ns = Cadical195(bootstrap_with=[[1]])\ns._verdict_log = None",
  }),
];

"""Wraps the methods of PySAT's engines and records their answers, which are compared with the program's claims."""

from __future__ import annotations

import os
from typing import BinaryIO

import pysat
import pysat.solvers
from pysat.examples import hitman, lbx, lsu, mcsls, rc2

from verdict_runner.languages.pysat import formulas, pools, strict
from verdict_runner.languages.pysat.run import (
    MAXSAT,
    OTHERS,
    SOLVERS,
    SUBSETS,
    the_run,
)
from verdict_runner.languages.pysat.watch.engines import finding, growing, optimising, reducing
from verdict_runner.languages.pysat.watch.questions import quietly
from verdict_runner.languages.pysat.watch.solvers import (
    beyond_clauses,
    bounding,
    logging_clause,
    modelling,
    solving,
    starting,
    with_a_variable,
    with_room,
)
from verdict_runner.languages.pysat.watch.stream import enumerating, streaming
from verdict_runner.refusal import Refused


def listen() -> None:
    """Wraps the engines' methods. Called once, before any program runs."""
    for kind in SOLVERS:
        kind.add_clause = logging_clause(kind.add_clause)
        if kind is not pysat.solvers.Solver:
            kind.new = starting(kind.new)
        if kind is pysat.solvers.Maplesat:
            for name in ("solve", "solve_limited", "enum_models"):
                setattr(kind, name, with_a_variable(vars(kind)[name]))
        limited = kind.solve_limited
        kind.solve = solving(kind.solve, limited)
        kind.solve_limited = solving(limited, limited)
        kind.conf_budget = bounding(kind.conf_budget)
        kind.get_model = modelling(kind.get_model)
        kind.enum_models = enumerating(kind.enum_models)
        for name in ("add_atmost", "add_xor_clause", "connect_propagator"):
            if name in vars(kind):
                setattr(kind, name, beyond_clauses(vars(kind)[name]))
        for name in ("add_atmost", "set_phases"):
            if name in vars(kind):
                setattr(kind, name, with_room(vars(kind)[name]))
    for kind in (*MAXSAT, *SUBSETS, *OTHERS):
        kind.__init__ = formulas.taking_formula(quietly(kind.__init__))
        name = "enumerate"
        if name in vars(kind):
            setattr(kind, name, streaming(getattr(kind, name)))
    rc2.RC2.add_clause = growing(rc2.RC2.add_clause)
    lsu.LSU.__init__ = formulas.unweighted(lsu.LSU.__init__)
    formulas.listen()
    strict.listen()
    for kind in MAXSAT:
        name = "solve" if issubclass(kind, lsu.LSU) else "compute"
        if name in vars(kind):
            setattr(kind, name, optimising(getattr(kind, name)))
    for kind in SUBSETS:
        kind.compute = reducing(kind.compute)
    for kind in (lbx.LBX, mcsls.MCSls):
        kind.compute = finding(kind.compute)
    hitman.Hitman.get = finding(hitman.Hitman.get)
    pools.listen(lambda: the_run().pools)
    pysat.solvers.tempfile = _MemoryFiles


class _MemoryFiles:
    """Replaces `tempfile` in PySAT, so that proofs are written to memory; the sandbox forbids files."""

    @staticmethod
    def TemporaryFile() -> BinaryIO:
        if not hasattr(os, "memfd_create"):
            raise Refused("Proofs can be written on Linux only.", ["leave with_proof out"])
        return os.fdopen(os.memfd_create("proof"), "w+b")

"""Solves the problems of one JSON list on stdin by CP-SAT alone, with their number of workers; prints a JSON line for each.

The time is that of building and solving the model, after the imports.
"""

import json
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import cpmpy as cp  # noqa: E402
import numpy as np  # noqa: E402
from ortools.sat.python import cp_model  # noqa: E402


def by_ortools(names, seconds, workers):
    model, solver = names["model"], cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.max_time_in_seconds = seconds
    status = solver.status_name(solver.solve(model))
    return status, solver.objective_value if model.has_objective() and status in ("OPTIMAL", "FEASIBLE") else None


def by_cpmpy(names, seconds, workers):
    model = names["m"]
    found = model.solve(solver="ortools", num_workers=workers, time_limit=seconds)
    return model.status().exitstatus.name, model.objective_value() if found else None


for job in json.load(sys.stdin):
    names = {"cp_model": cp_model, "cp": cp, "np": np}
    begun = time.perf_counter()
    exec(job["text"], names)
    solve = by_ortools if job["language"] == "ortools" else by_cpmpy
    status, value = solve(names, job["seconds"], job["workers"])
    print(json.dumps({"status": status, "value": value, "seconds": time.perf_counter() - begun}), flush=True)

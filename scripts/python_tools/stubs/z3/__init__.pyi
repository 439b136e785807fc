from z3 import z3 as z3
from z3 import z3core as z3core
from z3 import z3types as z3types
from z3.z3 import *
from z3.z3core import Z3_global_param_reset_all as Z3_global_param_reset_all
from z3.z3core import Z3_mk_eq as Z3_mk_eq
from z3.z3core import Z3_solver_assert as Z3_solver_assert
from z3.z3core import Z3_solver_pop as Z3_solver_pop
from z3.z3core import Z3_solver_push as Z3_solver_push

"""MathOpt: linear and mixed-integer models with reals, solved in floating-point numbers and checked in fractions."""

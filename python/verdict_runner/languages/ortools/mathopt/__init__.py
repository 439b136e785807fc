"""MathOpt: linear and mixed-integer models over reals, solved in floating-point arithmetic and checked in fractions."""

/**
 * Models that the embedded MiniZinc compiles and solves while its code is made: small ones, with the library that models
 * use, for each of its solvers. What they run is in optimised code afterwards.
 */
interface Training {
  readonly model: string;
  readonly solvers: readonly string[];
}

export const training: readonly Training[] = [
  {
    solvers: ["gecode", "chuffed"],
    model: `include "globals.mzn"; int: n = 7; array[1..n] of var 1..n: q;
constraint alldifferent(q); constraint alldifferent([q[i] + i | i in 1..n]); constraint alldifferent([q[i] - i | i in 1..n]);
var 0..50: cost = sum(i in 1..n)(abs(q[i] - i) * i); constraint count(q, 3) = 1; constraint element(q[1], q, 2) \\/ q[2] > 3;
solve :: int_search(q, first_fail, indomain_min) minimize cost; output [show(q), " ", show(cost)];`,
  },
  {
    solvers: ["gecode", "chuffed"],
    model: `include "globals.mzn"; enum Task = {a, b, c, d, e}; array[Task] of int: time = [3, 2, 4, 1, 3];
array[Task] of int: need = [2, 1, 2, 1, 1]; array[Task] of var 0..20: start; var 0..30: last;
constraint cumulative(start, time, need, 3); constraint forall(t in Task)(start[t] + time[t] <= last);
constraint disjunctive([start[a], start[c]], [time[a], time[c]]); constraint start[a] + time[a] <= start[d];
array[1..3] of var set of 1..4: s; constraint partition_set(s, 1..4); constraint card(s[1]) >= 2;
var opt 1..3: maybe; constraint occurs(maybe) -> last > 6; solve minimize last;`,
  },
  {
    solvers: ["gecode", "chuffed", "highs", "coin-bc"],
    model: `int: n = 8; array[1..n] of int: w = [5, 4, 7, 3, 9, 6, 2, 8]; array[1..n] of int: v = [8, 5, 9, 4, 12, 7, 2, 10];
array[1..n] of var 0..1: take; array[1..n] of var bool: extra; constraint sum(i in 1..n)(w[i] * take[i]) <= 22;
constraint forall(i in 1..n - 1)(extra[i] -> not extra[i + 1]); constraint bool2int(extra[1]) + take[1] <= 1;
solve maximize sum(i in 1..n)(v[i] * take[i]) + sum(extra);`,
  },
  {
    solvers: ["highs"],
    model: `var 0.0..10.0: x; var 0.0..10.0: y; var 0..5: k; constraint 2.0 * x + y <= 14.5; constraint x + 3.0 * y <= 20.0;
constraint x >= 0.5 * k; solve maximize 3.0 * x + 2.0 * y + int2float(k);`,
  },
];

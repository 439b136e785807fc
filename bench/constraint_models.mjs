// Eight medium MiniZinc models, as one text each; all are solved to optimality or satisfaction by Gecode.

const tour = `include "circuit.mzn";
int: n = 15;
array[1..n, 1..n] of int: far = array2d(1..n, 1..n, [ ((i * 37 + j * 37 + i * j * 11) mod 90 + 10) * bool2int(i != j) | i, j in 1..n ]);
array[1..n] of var 1..n: next;
constraint circuit(next);
var int: length = sum(i in 1..n)(far[i, next[i]]);
solve minimize length;`;

const golomb = `include "alldifferent.mzn";
int: n = 9;
array[1..n] of var 0..n*n: mark;
array[1..n*(n-1) div 2] of var 1..n*n: gap = [ mark[j] - mark[i] | i, j in 1..n where i < j ];
constraint mark[1] = 0;
constraint forall(i in 1..n-1)(mark[i] < mark[i + 1]);
constraint alldifferent(gap);
constraint gap[1] < gap[n * (n - 1) div 2];
solve :: int_search(mark, input_order, indomain_min) minimize mark[n];`;

const queens = `include "alldifferent.mzn";
int: n = 200;
array[1..n] of var 1..n: q;
constraint alldifferent(q);
constraint alldifferent([q[i] + i | i in 1..n]);
constraint alldifferent([q[i] - i | i in 1..n]);
solve :: int_search(q, first_fail, indomain_median) satisfy;`;

const job_shop = `include "disjunctive.mzn";
int: jobs = 6; int: machines = 6;
array[1..jobs, 1..machines] of int: time = array2d(1..jobs, 1..machines, [ (i * 7 + k * 5 + i * k) mod 9 + 1 | i in 1..jobs, k in 1..machines ]);
array[1..jobs, 1..machines] of int: order = array2d(1..jobs, 1..machines, [ (k + i * 2) mod machines + 1 | i in 1..jobs, k in 0..machines-1 ]);
int: horizon = sum(i in 1..jobs, k in 1..machines)(time[i, k]);
array[1..jobs, 1..machines] of var 0..horizon: start;
var 0..horizon: makespan;
constraint forall(i in 1..jobs, k in 1..machines-1)(start[i, k] + time[i, k] <= start[i, k + 1]);
constraint forall(m in 1..machines)(disjunctive(
  [ start[i, k] | i in 1..jobs, k in 1..machines where order[i, k] = m ],
  [ time[i, k] | i in 1..jobs, k in 1..machines where order[i, k] = m ]));
constraint forall(i in 1..jobs)(start[i, machines] + time[i, machines] <= makespan);
solve :: int_search([start[i, k] | i in 1..jobs, k in 1..machines], smallest, indomain_min) minimize makespan;`;

const knapsack = `int: n = 32;
array[1..n] of int: weight = [ (i * 17) mod 23 + 5 | i in 1..n ];
array[1..n] of int: worth = [ (i * 29) mod 31 + 3 | i in 1..n ];
array[1..n] of var 0..1: take;
constraint sum(i in 1..n)(weight[i] * take[i]) <= 195;
var int: total = sum(i in 1..n)(worth[i] * take[i]);
solve :: int_search(take, input_order, indomain_max) maximize total;`;

const sudoku = `include "alldifferent.mzn";
array[1..9, 1..9] of 0..9: given = array2d(1..9, 1..9,
 [8,0,0,0,0,0,0,0,0, 0,0,3,6,0,0,0,0,0, 0,7,0,0,9,0,2,0,0, 0,5,0,0,0,7,0,0,0, 0,0,0,0,4,5,7,0,0,
  0,0,0,1,0,0,0,3,0, 0,0,1,0,0,0,0,6,8, 0,0,8,5,0,0,0,1,0, 0,9,0,0,0,0,4,0,0]);
array[1..9, 1..9] of var 1..9: cell;
constraint forall(i, j in 1..9 where given[i, j] > 0)(cell[i, j] = given[i, j]);
constraint forall(i in 1..9)(alldifferent(cell[i, ..]) /\\ alldifferent(cell[.., i]));
constraint forall(a, b in 0..2)(alldifferent([ cell[3 * a + i, 3 * b + j] | i, j in 1..3 ]));
solve satisfy;`;

const assignment = `include "alldifferent.mzn";
int: n = 13;
array[1..n, 1..n] of int: cost = array2d(1..n, 1..n, [ (i * 13 + j * 7 + i * j * j) mod 41 | i, j in 1..n ]);
array[1..n] of var 1..n: does;
constraint alldifferent(does);
var int: total = sum(i in 1..n)(cost[i, does[i]]);
solve minimize total;`;

const packing = `include "diffn.mzn";
int: n = 8; int: width = 12;
array[1..n] of int: w = [5, 4, 6, 3, 7, 2, 4, 5];
array[1..n] of int: h = [3, 4, 2, 5, 2, 6, 3, 2];
int: tallest = sum(h);
array[1..n] of var 0..width: x;
array[1..n] of var 0..tallest: y;
var 0..tallest: height;
constraint diffn(x, y, w, h);
constraint forall(i in 1..n)(x[i] + w[i] <= width /\\ y[i] + h[i] <= height);
constraint height * width >= sum(i in 1..n)(w[i] * h[i]);
solve :: int_search([height] ++ y ++ x, input_order, indomain_min) minimize height;`;

export const models = { tour, golomb, queens, job_shop, knapsack, sudoku, assignment, packing };

/** Better and better for long: a client should get the first one soon. */
export const slow = tour.replace("int: n = 15", "int: n = 60");

/** Nothing is found and nothing proved for very long: pigeons. */
export const hopeless = `int: n = 14;
array[1..n] of var 1..n-1: hole;
constraint forall(i, j in 1..n where i < j)(hole[i] != hole[j]);
solve satisfy;`;

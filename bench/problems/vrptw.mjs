import { distances, randomFrom, times } from "./random.mjs";

export const vrptw = {
  family: "vrptw",
  goal: "minimize",
  sizes: [
    { name: "vrptw_8", seed: 21, customers: 8, vehicles: 3 },
    { name: "vrptw_12", seed: 22, customers: 12, vehicles: 4 },
    { name: "vrptw_18", seed: 23, customers: 18, vehicles: 5 },
  ],
  /** Row and column 0 of distance are the depot. A tour begins after time 0 and ends before horizon. */
  data({ seed, customers, vehicles }) {
    const random = randomFrom(seed);
    const distance = distances(random, customers + 1);
    const demand = times(customers, () => random.int(5, 20));
    const capacity = Math.ceil((1.3 * demand.reduce((a, b) => a + b)) / vehicles);
    const horizon = 600;
    const early = times(customers, (i) => random.int(distance[0][i + 1], 300));
    const late = early.map((time) => time + random.int(60, 140));
    return { customers, vehicles, capacity, horizon, service: 10, demand, early, late, distance };
  },
  minizinc: `include "circuit.mzn";
int: customers;
int: vehicles;
int: capacity;
int: horizon;
int: service;
array[1..customers] of int: demand;
array[1..customers] of int: early;
array[1..customers] of int: late;
array[0..customers, 0..customers] of int: distance;
% One round tour through all customers, and through a start and an end for each vehicle.
int: nodes = customers + 2 * vehicles;
set of int: CUSTOMER = 1..customers;
set of int: START = customers + 1..customers + vehicles;
set of int: END = customers + vehicles + 1..nodes;
array[1..nodes] of int: place = [if i in CUSTOMER then i else 0 endif | i in 1..nodes];
array[1..nodes, 1..nodes] of int: far = array2d(1..nodes, 1..nodes, [distance[place[i], place[j]] | i, j in 1..nodes]);
array[1..nodes] of int: need = [if i in CUSTOMER then demand[i] else 0 endif | i in 1..nodes];
array[1..nodes] of int: stay = [if i in CUSTOMER then service else 0 endif | i in 1..nodes];
array[1..nodes] of var 1..nodes: next;
array[1..nodes] of var 1..vehicles: vehicle;
array[1..nodes] of var 0..horizon: time;
array[1..nodes] of var 0..capacity: load;
constraint circuit(next);
constraint forall(v in 1..vehicles)(vehicle[customers + v] = v /\\ vehicle[customers + vehicles + v] = v);
constraint forall(v in 1..vehicles)(
  next[customers + vehicles + v] = customers + 1 + v mod vehicles);
constraint forall(i in CUSTOMER union START)(
  vehicle[next[i]] = vehicle[i] /\\
  time[i] + stay[i] + far[i, next[i]] <= time[next[i]] /\\
  load[i] + need[i] = load[next[i]]);
constraint forall(i in START)(time[i] = 0 /\\ load[i] = 0);
constraint forall(i in CUSTOMER)(early[i] <= time[i] /\\ time[i] <= late[i]);
solve minimize sum(i in CUSTOMER union START)(far[i, next[i]]);
`,
};

// Twenty small problems, each with a model that a bench can enumerate, and a checker that was written from the text. An item of
// `rules` is one constraint, which a bench can leave out.

const all_different = (what, list) => `if len(set(${list})) < len(${list}):\n    yield "${what} are different"`;

export const problems = [
  {
    text: "Fill a 3×3 square with the numbers 1 to 9, each once, so that rows, columns and diagonals have the sum 15.",
    language: "minizinc",
    model: ['include "globals.mzn"; array[1..3, 1..3] of var 1..9: m;'],
    rules: [
      "constraint alldifferent(array1d(m));",
      "constraint forall(r in 1..3)(sum(c in 1..3)(m[r, c]) = 15);",
      "constraint forall(c in 1..3)(sum(r in 1..3)(m[r, c]) = 15);",
      "constraint sum(i in 1..3)(m[i, i]) = 15 /\\ sum(i in 1..3)(m[i, 4 - i]) = 15;",
    ],
    checker: `m = values["m"]
if sorted(sum(m, [])) != list(range(1, 10)):
    yield "each number from 1 to 9 once"
lines = m + [list(c) for c in zip(*m)] + [[m[i][i] for i in range(3)], [m[i][2 - i] for i in range(3)]]
for line in lines:
    if sum(line) != 15:
        yield f"the sum of {line} is {sum(line)}"`,
  },
  {
    text: "Place six queens on a 6×6 board, one in each column, so that none attacks another.",
    language: "minizinc",
    model: ['include "globals.mzn"; array[1..6] of var 1..6: q;'],
    rules: [
      "constraint alldifferent(q);",
      "constraint alldifferent(i in 1..6)(q[i] + i);",
      "constraint alldifferent(i in 1..6)(q[i] - i);",
    ],
    checker: `q = values["q"]
for i, a in enumerate(q):
    if not 1 <= a <= 6:
        yield f"row {a} is not on the board"
    for j in range(i):
        if a == q[j] or abs(a - q[j]) == i - j:
            yield f"queens {j} and {i} attack each other"`,
  },
  {
    text: "SEND + MORE = MONEY: different letters are different digits, and no number begins with 0.",
    language: "minizinc",
    model: [
      'include "globals.mzn"; var 0..9: S; var 0..9: E; var 0..9: N; var 0..9: D; var 0..9: M; var 0..9: O; var 0..9: R; var 0..9: Y;',
    ],
    rules: [
      "constraint alldifferent([S, E, N, D, M, O, R, Y]);",
      "constraint S > 0 /\\ M > 0;",
      "constraint 1000*S + 100*E + 10*N + D + 1000*M + 100*O + 10*R + E = 10000*M + 1000*O + 100*N + 10*E + Y;",
    ],
    checker: `digits = [values[letter] for letter in "SENDMORY"]
if any(not 0 <= d <= 9 for d in digits) or len(set(digits)) < 8:
    yield "letters are different digits"
if values["S"] == 0 or values["M"] == 0:
    yield "a number begins with 0"
def number(word):
    return sum(values[letter] * 10 ** i for i, letter in enumerate(reversed(word)))
if number("SEND") + number("MORE") != number("MONEY"):
    yield "the sum is wrong"`,
  },
  {
    text: "Pay 100 with at most 8 coins of 5, 10, 20 and 50; use each kind at least once.",
    language: "minizinc",
    model: ["array[1..4] of int: worth = [5, 10, 20, 50]; array[1..4] of var 0..20: n;"],
    rules: [
      "constraint sum(i in 1..4)(worth[i] * n[i]) = 100;",
      "constraint sum(n) <= 8;",
      "constraint forall(i in 1..4)(n[i] >= 1);",
    ],
    checker: `n = values["n"]
paid = sum(a * b for a, b in zip(n, [5, 10, 20, 50]))
if paid != 100:
    yield f"paid {paid} instead of 100"
if sum(n) > 8:
    yield f"{sum(n)} coins, by {sum(n) - 8} too many"
if min(n) < 1:
    yield "a kind is not used"`,
  },
  {
    text: "Anna, Ben and Carla work four days. Each day needs two of them. Nobody works more than three days, and Anna does not work on the first.",
    language: "minizinc",
    model: ["array[1..3, 1..4] of var bool: works;"],
    rules: [
      "constraint forall(d in 1..4)(sum(p in 1..3)(works[p, d]) = 2);",
      "constraint forall(p in 1..3)(sum(d in 1..4)(works[p, d]) <= 3);",
      "constraint not works[1, 1];",
    ],
    checker: `works = values["works"]
for d, day in enumerate(zip(*works)):
    if sum(day) != 2:
        yield f"day {d} has {sum(day)} people"
for p, days in enumerate(works):
    if sum(days) > 3:
        yield f"person {p} works {sum(days)} days"
if works[0][0]:
    yield "Anna works on the first day"`,
  },
  {
    text: "Colour the wheel of a hub and four rim nodes with red, green and blue; neighbours differ, and the hub is red.",
    language: "minizinc",
    model: ["enum Colour = {red, green, blue}; var Colour: hub; array[1..4] of var Colour: rim;"],
    rules: [
      "constraint hub = red;",
      "constraint forall(i in 1..4)(rim[i] != hub);",
      "constraint forall(i in 1..4)(rim[i] != rim[i mod 4 + 1]);",
    ],
    checker: `hub, rim = values["hub"], values["rim"]
if hub != "red":
    yield "the hub is red"
for i, colour in enumerate(rim):
    if colour not in ("red", "green", "blue"):
        yield f"{colour} is not a colour"
    if colour == hub or colour == rim[(i + 1) % 4]:
        yield f"node {i} has the colour of a neighbour"`,
  },
  {
    text: "Anna, Ben, Carla, Dora and Emil sit in a row of five. Anna sits next to Ben, Carla at an end, Dora not next to Emil.",
    language: "minizinc",
    model: ['include "globals.mzn"; var 1..5: anna; var 1..5: ben; var 1..5: carla; var 1..5: dora; var 1..5: emil;'],
    rules: [
      "constraint alldifferent([anna, ben, carla, dora, emil]);",
      "constraint abs(anna - ben) = 1;",
      "constraint carla in {1, 5};",
      "constraint abs(dora - emil) > 1;",
    ],
    checker: `seats = [values[name] for name in ("anna", "ben", "carla", "dora", "emil")]
if sorted(seats) != [1, 2, 3, 4, 5]:
    yield "each seat has one person"
if abs(values["anna"] - values["ben"]) != 1:
    yield "Anna sits next to Ben"
if values["carla"] not in (1, 5):
    yield "Carla sits at an end"
if abs(values["dora"] - values["emil"]) == 1:
    yield "Dora does not sit next to Emil"`,
  },
  {
    text: "Three jobs of 3, 2 and 4 hours run on one machine from hour 0 to 10; the first ends before the last begins.",
    language: "minizinc",
    model: ["array[1..3] of int: d = [3, 2, 4]; array[1..3] of var 0..10: start;"],
    rules: [
      "constraint forall(i, j in 1..3 where i < j)(start[i] + d[i] <= start[j] \\/ start[j] + d[j] <= start[i]);",
      "constraint forall(i in 1..3)(start[i] + d[i] <= 10);",
      "constraint start[1] + d[1] <= start[3];",
    ],
    checker: `jobs = sorted(zip(values["start"], [3, 2, 4]))
if jobs[0][0] < 0 or max(s + d for s, d in jobs) > 10:
    yield "a job is outside of the hours 0 to 10"
for (s, d), (after, _) in zip(jobs, jobs[1:]):
    if s + d > after:
        yield f"the job at {after} begins {s + d - after} h too early"
if values["start"][0] + 3 > values["start"][2]:
    yield "the first job ends before the last one begins"`,
  },
  {
    text: "Pack things of 4, 3, 2, 5 and 1 kg worth 9, 6, 4, 10 and 1 into a sack of 10 kg; the worth is at least 20.",
    language: "minizinc",
    model: [
      "array[1..5] of int: kg = [4, 3, 2, 5, 1]; array[1..5] of int: worth = [9, 6, 4, 10, 1]; array[1..5] of var 0..1: take;",
    ],
    rules: [
      "constraint sum(i in 1..5)(kg[i] * take[i]) <= 10;",
      "constraint sum(i in 1..5)(worth[i] * take[i]) >= 20;",
    ],
    checker: `take = values["take"]
if any(t not in (0, 1) for t in take):
    yield "a thing is taken or not"
kg = sum(a * b for a, b in zip(take, [4, 3, 2, 5, 1]))
if kg > 10:
    yield f"{kg} kg, by {kg - 10} too much"
worth = sum(a * b for a, b in zip(take, [9, 6, 4, 10, 1]))
if worth < 20:
    yield f"worth {worth}, by {20 - worth} too little"`,
  },
  {
    text: "Complete a 4×4 Sudoku whose first row is 1 2 3 4: rows, columns and 2×2 boxes have each number once.",
    language: "minizinc",
    model: ['include "globals.mzn"; array[1..4, 1..4] of var 1..4: s;'],
    rules: [
      "constraint forall(i in 1..4)(s[1, i] = i);",
      "constraint forall(i in 1..4)(alldifferent(j in 1..4)(s[i, j]));",
      "constraint forall(j in 1..4)(alldifferent(i in 1..4)(s[i, j]));",
      "constraint forall(a, b in {0, 2})(alldifferent([s[a + i, b + j] | i, j in 1..2]));",
    ],
    checker: `s = values["s"]
if s[0] != [1, 2, 3, 4]:
    yield "the first row is given"
boxes = [[s[a + i][b + j] for i in range(2) for j in range(2)] for a in (0, 2) for b in (0, 2)]
for group in s + [list(c) for c in zip(*s)] + boxes:
    if sorted(group) != [1, 2, 3, 4]:
        yield f"{group} has not each number once"`,
  },
  {
    text: "Three houses in a row have different colours and pets. The red house is left of the blue one; the cat lives in the green house, the dog not next to the cat or in the first house.",
    language: "minizinc",
    model: [
      'include "globals.mzn"; var 1..3: red; var 1..3: green; var 1..3: blue; var 1..3: cat; var 1..3: dog; var 1..3: fish;',
    ],
    rules: [
      "constraint alldifferent([red, green, blue]);",
      "constraint alldifferent([cat, dog, fish]);",
      "constraint red < blue;",
      "constraint cat = green;",
      "constraint dog != 1 /\\ abs(dog - cat) > 1;",
    ],
    checker: `for names in (("red", "green", "blue"), ("cat", "dog", "fish")):
    if sorted(values[name] for name in names) != [1, 2, 3]:
        yield f"{names} are in different houses"
if values["red"] >= values["blue"]:
    yield "red is left of blue"
if values["cat"] != values["green"]:
    yield "the cat lives in the green house"
if values["dog"] == 1 or abs(values["dog"] - values["cat"]) == 1:
    yield "the dog is in the wrong house"`,
  },
  {
    text: "A Golomb ruler with the marks 0 < a < b < c, at most 8 long: all distances between two marks are different.",
    language: "minizinc",
    model: ['include "globals.mzn"; array[1..4] of var 0..8: mark;'],
    rules: [
      "constraint mark[1] = 0;",
      "constraint forall(i in 1..3)(mark[i] < mark[i + 1]);",
      "constraint alldifferent([mark[j] - mark[i] | i, j in 1..4 where i < j]);",
    ],
    checker: `m = values["mark"]
if m[0] != 0 or max(m) > 8:
    yield "the marks are from 0 to 8"
if any(a >= b for a, b in zip(m, m[1:])):
    yield "the marks ascend"
distances = [b - a for i, a in enumerate(m) for b in m[i + 1:]]
${all_different("distances", "distances")}`,
  },
  {
    text: "Divide the numbers 1 to 8 into two teams of four with equal sums; 1 is in team 1.",
    language: "minizinc",
    model: ["array[1..8] of var 1..2: team;"],
    rules: [
      "constraint sum(i in 1..8)(i * (team[i] = 1)) = 18;",
      "constraint sum(i in 1..8)(team[i] = 1) = 4;",
      "constraint team[1] = 1;",
    ],
    checker: `team = values["team"]
if any(t not in (1, 2) for t in team):
    yield "there are two teams"
first = [i + 1 for i, t in enumerate(team) if t == 1]
if len(first) != 4:
    yield f"team 1 has {len(first)} numbers"
if sum(first) != 18:
    yield f"the sum of team 1 is {sum(first)}"
if team[0] != 1:
    yield "1 is in team 1"`,
  },
  {
    text: "Load boxes of 6, 5, 4, 3, 2 and 2 t into three trucks of 8 t; the boxes of 6 and of 2 t do not go together.",
    language: "minizinc",
    model: ["array[1..6] of int: t = [6, 5, 4, 3, 2, 2]; array[1..6] of var 1..3: truck;"],
    rules: [
      "constraint forall(k in 1..3)(sum(i in 1..6)(t[i] * (truck[i] = k)) <= 8);",
      "constraint truck[1] != truck[5] /\\ truck[1] != truck[6];",
    ],
    checker: `truck, t = values["truck"], [6, 5, 4, 3, 2, 2]
for k in set(truck):
    load = sum(w for w, where in zip(t, truck) if where == k)
    if k not in (1, 2, 3) or load > 8:
        yield f"truck {k} carries {load} t"
if truck[0] in truck[4:]:
    yield "boxes of 6 and 2 t are together"`,
  },
  {
    text: "Give four lectures a slot (1 to 3) and a room (A or B): no two at once in a room; lectures 1 and 2 share students, 3 needs room A, 4 is after 1.",
    language: "minizinc",
    model: ["enum Room = {A, B}; array[1..4] of var 1..3: slot; array[1..4] of var Room: room;"],
    rules: [
      "constraint forall(i, j in 1..4 where i < j)(slot[i] != slot[j] \\/ room[i] != room[j]);",
      "constraint slot[1] != slot[2];",
      "constraint room[3] = A;",
      "constraint slot[4] > slot[1];",
    ],
    checker: `slot, room = values["slot"], values["room"]
if any(not 1 <= s <= 3 for s in slot) or any(r not in "AB" for r in room):
    yield "there are three slots and two rooms"
if len(set(zip(slot, room))) < 4:
    yield "two lectures are at once in a room"
if slot[0] == slot[1]:
    yield "lectures 1 and 2 share students"
if room[2] != "A":
    yield "lecture 3 needs room A"
if slot[3] <= slot[0]:
    yield "lecture 4 is after lecture 1"`,
  },
  {
    text: "Choose members of a committee from six people so that of each two enemies at least one is in it, and at most four people are.",
    language: "asp",
    model: [
      "enemy(1,2). enemy(2,3). enemy(3,4). enemy(4,5). enemy(5,6). enemy(1,6). enemy(1,4). { in(1..6) }. #show in/1.",
    ],
    rules: [":- enemy(A,B), not in(A), not in(B).", ":- #count { P : in(P) } > 4."],
    checker: `chosen = {p for (p,) in values.get("in", [])}
if not chosen <= {1, 2, 3, 4, 5, 6}:
    yield "there are six people"
for a, b in [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6), (1, 4)]:
    if a not in chosen and b not in chosen:
        yield f"neither {a} nor {b} is in it"
if len(chosen) > 4:
    yield f"{len(chosen)} people, by {len(chosen) - 4} too many"`,
  },
  {
    text: "Find a round trip through five towns on the roads 1-2, 2-3, 3-4, 4-5, 5-1, 1-3 and 2-4, in both directions.",
    language: "asp",
    model: [
      "town(1..5). r(1,2). r(2,3). r(3,4). r(4,5). r(5,1). r(1,3). r(2,4). road(A,B) :- r(A,B). road(B,A) :- r(A,B). { go(A,B) : road(A,B) }. at(1). at(B) :- at(A), go(A,B). #show go/2.",
    ],
    rules: [
      ":- town(A), #count { B : go(A,B) } != 1.",
      ":- town(B), #count { A : go(A,B) } != 1.",
      ":- town(B), not at(B).",
    ],
    checker: `legs = [tuple(leg) for leg in values.get("go", [])]
roads = {(1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (1, 3), (2, 4)}
for a, b in legs:
    if (a, b) not in roads and (b, a) not in roads:
        yield f"there is no road from {a} to {b}"
if len(legs) != 5:
    yield f"{len(legs)} legs instead of 5"
after, here, seen = dict(legs), 1, []
while here in after and here not in seen:
    seen.append(here)
    here = after[here]
if here != 1 or len(seen) != 5:
    yield "this is not a round trip through all towns"`,
  },
  {
    text: "Give five radio masts one of three channels; neighbours differ, and mast a has channel 1.",
    language: "asp",
    model: [
      "mast(a;b;c;d;e). near(a,b). near(b,c). near(c,d). near(d,e). near(a,e). near(b,e). 1 { on(M,1..3) } 1 :- mast(M). #show on/2.",
    ],
    rules: [":- near(A,B), on(A,C), on(B,C).", ":- not on(a,1)."],
    checker: `rows = values.get("on", [])
channel = dict(map(tuple, rows))
if sorted(m for m, _ in rows) != list("abcde") or any(c not in (1, 2, 3) for c in channel.values()):
    yield "each mast has one of three channels"
for a, b in ["ab", "bc", "cd", "de", "ae", "be"]:
    if a in channel and channel[a] == channel.get(b):
        yield f"{a} and {b} have the same channel"
if channel.get("a") != 1:
    yield "mast a has channel 1"`,
  },
  {
    text: "Put three watchmen on the corners of a 2×4 grid of streets so that each corner has a watchman or one beside it.",
    language: "asp",
    model: [
      "c(1..2,1..4). beside(X,Y,X+1,Y) :- c(X,Y), c(X+1,Y). beside(X,Y,X,Y+1) :- c(X,Y), c(X,Y+1). b(A,B,C,D) :- beside(A,B,C,D). b(C,D,A,B) :- beside(A,B,C,D). { w(X,Y) : c(X,Y) }. #show w/2.",
    ],
    rules: [":- #count { X,Y : w(X,Y) } != 3.", ":- c(X,Y), not w(X,Y), #count { A,B : b(X,Y,A,B), w(A,B) } < 1."],
    checker: `watch = {tuple(w) for w in values.get("w", [])}
corners = [(x, y) for x in (1, 2) for y in (1, 2, 3, 4)]
if not watch <= set(corners):
    yield "a watchman is not on a corner"
if len(watch) != 3:
    yield f"{len(watch)} watchmen instead of 3"
for x, y in corners:
    if all(abs(x - a) + abs(y - b) > 1 for a, b in watch):
        yield f"nobody sees {x},{y}"`,
  },
  {
    text: "Assign tasks a, b, c and d of 2, 3, 1 and 2 hours to two people; nobody works more than 5 hours, and a and b are done by different people.",
    language: "asp",
    model: ["h(a,2). h(b,3). h(c,1). h(d,2). 1 { does(T,1..2) } 1 :- h(T,_). #show does/2."],
    rules: [":- P = 1..2, #sum { H,T : does(T,P), h(T,H) } > 5.", ":- does(a,P), does(b,P)."],
    checker: `rows, hours = values.get("does", []), {"a": 2, "b": 3, "c": 1, "d": 2}
who = dict(map(tuple, rows))
if sorted(t for t, _ in rows) != list("abcd") or any(p not in (1, 2) for p in who.values()):
    yield "each task is done by one of two people"
for p in (1, 2):
    work = sum(hours.get(t, 0) for t, q in rows if q == p)
    if work > 5:
        yield f"person {p} works {work} h"
if who.get("a") == who.get("b"):
    yield "a and b are done by different people"`,
  },
];

/** Programs that the embedded clingo grounds and solves while its code is made. */
export const training: readonly string[] = [
  `{queen(I,1..8)} = 1 :- I = 1..8. :- queen(I,J), queen(K,J), I < K.
:- queen(I,J), queen(K,L), I < K, |I - K| == |J - L|. #show queen/2.`,
  `edge(1..6,1..6). {tour(X,Y) : edge(X,Y), X != Y} = 1 :- X = 1..6. {tour(X,Y) : edge(X,Y), X != Y} = 1 :- Y = 1..6.
reached(1). reached(Y) :- reached(X), tour(X,Y). :- X = 1..6, not reached(X). cost(X,Y,(X*Y*7) \\ 11 + 1) :- edge(X,Y).
#minimize{C,X,Y : tour(X,Y), cost(X,Y,C)}. #show tour/2.`,
  `item(1..14). weight(I,(I*5) \\ 7 + 1) :- item(I). {in(I) : item(I)}. :- #sum{W,I : in(I), weight(I,W)} > 20.
group(I,I \\ 3) :- item(I). :- group(_,G), #count{I : in(I), group(I,G)} > 3. #maximize{W*2-1,I : in(I), weight(I,W)}.
a ; b :- in(1). c :- not d. d :- not c. even(X) :- X = #count{I : in(I)}, X \\ 2 = 0. name(f(I),"text") :- in(I).`,
  `{at(P,H) : H = 1..6} = 1 :- P = 1..7. :- at(P,H), at(Q,H), P < Q. #show.`,
];

/** How each is solved: for one answer set, for some, for what holds in all. */
export const training_args: readonly (readonly string[])[] = [
  ["--outf=2", "--stats", "--opt-mode=opt"],
  ["--outf=2", "--stats", "--opt-mode=ignore", "20"],
  ["--outf=2", "--enum-mode=cautious", "--opt-mode=ignore"],
];

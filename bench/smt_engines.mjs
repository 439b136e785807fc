// `solve_smtlib` with engine auto against each SMT solver alone: PAR-2 (time, and twice the limit where nothing was
// decided) over generated scripts in twelve logics. The solvers run as bare programs, from start to answer.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { connect, row } from "./measure.mjs";
import { families } from "./smt_families.mjs";

const limit_s = Number(process.env.VERDICT_BENCH_LIMIT_S ?? 5);

/** The Python of the environment that `verdict setup smt` made in VERDICT_DATA. */
function wheelsPython() {
  const places = join(process.env.VERDICT_DATA ?? "", "python");
  const names = existsSync(places) ? readdirSync(places) : [];
  const found = names.find((name) => {
    const lib = join(places, name, "lib");
    return (
      existsSync(lib) &&
      readdirSync(lib).some((each) => existsSync(join(lib, each, "site-packages", "bitwuzla-0.10.0.dist-info")))
    );
  });
  return found && join(places, found, "bin", "python");
}

/** Runs a program on a script and gives its word, or undefined, with the seconds that it took. */
function bare(command, args, text) {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), limit_s * 1000);
    let out = "";
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (/^(sat|unsat|unknown|\(error)/m.test(out)) child.kill("SIGKILL");
    });
    child.once("close", () => {
      clearTimeout(timer);
      resolve({ word: /^(sat|unsat)$/m.exec(out)?.[1], seconds: (performance.now() - start) / 1000 });
    });
    child.stdin.end(text);
  });
}

const options = "(set-option :produce-models true)\n(set-option :arrays-exp true)\n";

export async function smtEnginesRows() {
  const python = wheelsPython();
  const z3 = process.env.VERDICT_Z3;
  if (!python || !z3) {
    console.log("  engines: name a native Z3 in VERDICT_Z3, and in VERDICT_DATA a place where `verdict setup smt` ran");
    return;
  }
  const server = await connect();
  const wheel = (name) => (logic, text) =>
    bare(
      python,
      ["-I", "-B", "python/verdict_smt", name],
      `${name === "cvc5" ? options : ""}(set-logic ${logic})\n${text}`,
    );
  const runs = {
    z3: (_, text) => bare(z3, ["-in"], text),
    cvc5: wheel("cvc5"),
    bitwuzla: (logic, text) =>
      /^(QF_)?A?(UF)?(BV|FP|BVFP)$/.test(logic)
        ? wheel("bitwuzla")(logic, text)
        : { word: undefined, seconds: limit_s },
    auto: async (_, smtlib) => {
      const start = performance.now();
      const answer = await server.call("solve_smtlib", { smtlib, timeout_ms: limit_s * 1000 });
      const word = answer.status === "unknown" ? undefined : answer.status;
      return { word, seconds: (performance.now() - start) / 1000, engine: answer.engine };
    },
  };
  await server.call("solve_smtlib", { smtlib: "(check-sat)" });
  const par2 = { z3: 0, cvc5: 0, bitwuzla: 0, auto: 0 };
  const decided = { z3: 0, cvc5: 0, bitwuzla: 0, auto: 0 };
  const by_others = {};
  let scripts = 0;
  let contradictions = 0;
  for (const { logic, texts } of families()) {
    const of_family = {};
    for (const text of texts) {
      scripts++;
      const words = new Set();
      for (const [name, run] of Object.entries(runs)) {
        const { word, seconds, engine } = await run(logic, text);
        const cost = word ? seconds : 2 * limit_s;
        par2[name] += cost;
        of_family[name] = (of_family[name] ?? 0) + cost;
        if (word) decided[name]++;
        if (word) words.add(word);
        const who = engine?.split(" ")[0];
        if (word && who && who !== "z3") by_others[who] = (by_others[who] ?? 0) + 1;
      }
      if (words.size > 1) {
        contradictions++;
        console.log(`    ${logic}: contradiction\n${text}`);
      }
    }
    console.log(
      `    ${logic}: ${Object.entries(of_family)
        .map(([name, sum]) => `${name} ${sum.toFixed(1)} s`)
        .join(", ")}`,
    );
  }
  await server.client.close();
  const best = Math.min(par2.z3, par2.cvc5, par2.bitwuzla);
  const sums = Object.entries(par2)
    .map(([name, sum]) => `${name} ${sum.toFixed(0)} s (${decided[name]} decided)`)
    .join(", ");
  const others =
    Object.entries(by_others)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ") || "none";
  row(
    `${scripts} SMT-LIB scripts in 12 logics, ${limit_s} s each: PAR-2 of auto against the best single engine`,
    "≤ 0.9",
    `${(par2.auto / best).toFixed(2)}: ${sums}; answered by others in auto: ${others}`,
    par2.auto / best <= 0.9,
  );
  row("the same against Z3 alone", "≤ 1.05", (par2.auto / par2.z3).toFixed(2), par2.auto / par2.z3 <= 1.05);
  row("contradictions between the engines", "0", String(contradictions), contradictions === 0);
}

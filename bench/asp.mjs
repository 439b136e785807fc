// The language `asp` on the embedded clingo.
import { connect, median, ms, pause, row, timed } from "./measure.mjs";

/** All rows of the language `asp`. */
export async function aspRows() {
  const server = await connect({ VERDICT_CLINGO: "wasm" });
  await server.call("clear_model", { language: "asp" });
  await server.call("add_item", { item: "{ a; b }.\n:- not a.\n:- b." });
  await server.call("solve_model", {});
  const times = [];
  for (let i = 0; i < 21; i++) {
    await pause(500);
    times.push((await timed(() => server.call("solve_model", {}))).time);
  }
  await server.client.close();
  const value = median(times);
  row("a trivial answer-set program, embedded and warm", "≤ 25 ms", ms(value), value <= 25);
}

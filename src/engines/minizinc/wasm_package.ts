import type { PackageForm } from "../wasm/throwing_calls.ts";

/** Further facts about MiniZinc's package: the names that its module imports and exports. */
interface MiniZincForm extends PackageForm {
  readonly memory: string;
  /** The calls to the file system that are watched. */
  readonly calls: Readonly<Record<"open" | "close" | "read" | "read_link" | "stat", string>>;
  /** How many bytes `stat` writes. */
  readonly stat_bytes: number;
  /** Functions that give 0 if no C++ exception is under way. */
  readonly exceptions: readonly string[];
  /** Functions that change nothing outside of the memory that lasts longer than a run. */
  readonly harmless: ReadonlySet<string>;
}

/** What the embedded build is known by: names and forms in the package minizinc 4.5.1. */
export const minizinc_package: MiniZincForm = {
  memory: "kb",
  calls: { open: "ja", close: "V", read: "la", read_link: "xa", stat: "Fa" },
  stat_bytes: 96,
  exceptions: ["gb", "fb"],
  harmless: new Set([
    // C++ exceptions, whose state is asked for after each run.
    ..."za u fb G a k s H da Oa W eb m gb i A".split(" "),
    // Files and the terminal: what asks about them, moves in them, or writes to those that are open.
    ..."Ga La ya Da Ea Ka Ja ba Ra".split(" "),
    // Time, environment, size of the memory, and the ends of the program.
    ..."Ha Pa ka X Ma Na ib hb cb h Qa F Aa".split(" "),
  ]),
  helpers: { save: "xb", restore: "vb", set_threw: "tb", table: "nb" },
  invoke:
    /^function\([\w$,]+\)\{var [\w$]+=[\w$]+\(\);try\{(?:return )?[\w$]+\(\w+\)\([\w$,]*\)\}catch\(\w+\)\{if\([\w$]+\([\w$]+\),!\(\w+ instanceof [\w$]+\)\)throw \w+;(?:[\w$]+\(1,0\)|return [\w$]+\(1,0\),0n)\}\}$/,
};

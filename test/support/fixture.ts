import { afterAll, beforeAll } from "vitest";
import { real_setup_ms_max } from "./python.ts";

/**
 * What the tests of a describe or a file share, such as tools or a server: opened before the first test, closed after the
 * last one. Only tests and hooks can use it.
 */
export function fixture<Shared extends { close(): unknown }>(open: () => Shared | Promise<Shared>): Shared {
  let shared: Shared | undefined;
  beforeAll(async () => {
    shared = await open();
  }, real_setup_ms_max);
  afterAll(async () => void (await shared?.close()));
  const nothing: Shared = Object.create(null);
  return new Proxy(nothing, {
    get(_, name) {
      if (!shared) throw new Error(`${String(name)} is used before the tests`);
      const member: unknown = Reflect.get(shared, name);
      return typeof member === "function" ? member.bind(shared) : member;
    },
  });
}

import { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";
import type { TimeAccount } from "../../../kernel/process/processor_time.ts";
import { type Release, Slots } from "../../../kernel/process/slots.ts";
import type { CallContext } from "../../../kernel/tool.ts";
import { http_limits } from "../limits.ts";
import { overQuota, type Refusal } from "../refusals.ts";
import type { Quota } from "./quota.ts";

const hour_ms = 3_600_000;

/** A used amount that decays linearly: an amount of the whole hourly allowance decays within an hour. */
class Use {
  #amount = 0;
  #at = performance.now();

  add(amount: number, per_hour: number): void {
    this.#amount = Math.max(0, this.now(per_hour) + amount);
  }

  now(per_hour: number): number {
    const now = performance.now();
    this.#amount = Math.max(0, this.#amount - ((now - this.#at) / hour_ms) * per_hour);
    this.#at = now;
    return this.#amount;
  }

  /** Returns the seconds until the usage drops below the bound; undefined if it is already below. */
  waitOver(per_hour: number): number | undefined {
    const over = this.now(per_hour) - per_hour;
    return over < 0 ? undefined : Math.ceil(((over / per_hour) * hour_ms) / 1000) + 1;
  }
}

/** A principal's usage, compared with its quota. */
export class Meter {
  /** The quota can change while calls run, since the token file is reread. */
  quota: Quota;
  readonly #processor = new Use();
  readonly #bytes = new Use();
  #slots: Slots | undefined;
  #slots_for = "";
  #calls = 0;
  #spent = new AbortController();

  constructor(quota: Quota) {
    this.quota = quota;
  }

  /** Whether nothing about this principal needs to be remembered. */
  get is_idle(): boolean {
    const { processor_s_per_hour: processor, bytes_per_hour: bytes } = this.quota;
    const unused = [processor && this.#processor.now(processor), bytes && this.#bytes.now(bytes)];
    return this.#calls === 0 && unused.every((amount) => !amount);
  }

  addBytes(count: number): void {
    if (this.quota.bytes_per_hour !== undefined) this.#bytes.add(count, this.quota.bytes_per_hour);
  }

  /** Returns the reason why no message is accepted now, if any. */
  refusesMessage(): Refusal | undefined {
    const { bytes_per_hour: most } = this.quota;
    const wait_s = most === undefined ? undefined : this.#bytes.waitOver(most);
    return wait_s === undefined ? undefined : overQuota(`${most} bytes an hour`, wait_s);
  }

  /** Returns the reason why no call that may use a solver is accepted now, if any. */
  refusesCall(): Refusal | undefined {
    const { processor_s_per_hour: most, calls_at_once, calls_waiting } = this.quota;
    const wait_s = most === undefined ? undefined : this.#processor.waitOver(most);
    if (wait_s !== undefined) return overQuota(`${most} s of processor time an hour`, wait_s);
    if (calls_at_once === undefined || this.#calls < calls_at_once + (calls_waiting ?? calls_at_once)) return undefined;
    return overQuota(`${calls_at_once} calls at once, with ${calls_waiting ?? calls_at_once} more waiting`, 1);
  }

  /** Waits until the call may run. Returns the function that ends it. Raises `busy` and `cancelled`. */
  async turn({ signal, progress }: CallContext): Promise<Release> {
    this.#calls++;
    try {
      const slots = this.#currentSlots();
      if (slots && slots.free <= 0) progress("waiting for other calls of this principal");
      const release = await slots?.take(new Deadline(limits.timeout_ms_max, signal));
      if (release === "expired") throw waitedTooLong();
      return () => {
        this.#calls--;
        release?.();
      };
    } catch (error) {
      this.#calls--;
      throw error;
    }
  }

  /** Records a call's processor time, and also passes it to `onTime`. */
  account(onTime: (ms: number) => void): TimeAccount {
    const current = () => this.#spent.signal;
    return {
      add: (ms) => {
        onTime(ms);
        this.#addProcessor(ms / 1000);
      },
      get spent() {
        return current();
      },
    };
  }

  /** Adds processor time. At twice the bound, the principal's running calls are stopped. */
  #addProcessor(seconds: number): void {
    const { processor_s_per_hour: most } = this.quota;
    if (most === undefined) return;
    this.#processor.add(seconds, most);
    if (this.#processor.now(most) < most * http_limits.overdraft) return;
    this.#spent.abort(quotaExceeded(most));
    this.#spent = new AbortController();
  }

  #currentSlots(): Slots | undefined {
    const { calls_at_once, calls_waiting } = this.quota;
    const wanted = `${calls_at_once} ${calls_waiting}`;
    if (this.#slots_for === wanted) return this.#slots;
    this.#slots_for = wanted;
    this.#slots =
      calls_at_once === undefined ? undefined : new Slots(calls_at_once, calls_waiting ?? calls_at_once, tooManyWait);
    return this.#slots;
  }
}

interface Metered {
  readonly id: string;
  readonly quota: Quota;
}

/** The meters of all principals. If there are many, idle ones are forgotten. */
export class Meters {
  readonly #meters = new Map<string, Meter>();

  /** Returns a principal's meter, which has this quota from now on. */
  of(principal: Metered): Meter {
    const meter = this.current(principal);
    meter.quota = principal.quota;
    return meter;
  }

  /** Returns a principal's meter with its latest quota. */
  current({ id, quota }: Metered): Meter {
    const known = this.#meters.get(id);
    if (known) return known;
    if (this.#meters.size >= http_limits.meters_kept)
      for (const [old, meter] of this.#meters) if (meter.is_idle) this.#meters.delete(old);
    const meter = new Meter(quota);
    this.#meters.set(id, meter);
    return meter;
  }
}

function quotaExceeded(seconds: number): Fault {
  return new Fault(
    "busy",
    `The call was stopped: its principal may use ${seconds} s of processor time an hour, and has used twice that.`,
    [
      "wait until a part of the hour has passed, and send fewer or easier calls",
      "whoever runs this server can raise the quota",
    ],
  );
}

function tooManyWait(waiting: number): Fault {
  return new Fault("busy", `${waiting} calls of this principal are already waiting; this one was rejected.`, [
    "wait until some of them are answered, then send it again",
  ]);
}

function waitedTooLong(): Fault {
  return new Fault("busy", "The call waited too long for other calls of this principal; nothing was tried.", [
    "send it again, with fewer calls at the same time",
  ]);
}

/** An exact rational number: the exact value of a decimal in a model, rather than the nearest double. */
export class Rational {
  readonly over: bigint;
  readonly under: bigint;

  /** Reduces the fraction to lowest terms; `under` is not 0. */
  constructor(over: bigint, under = 1n) {
    // Nearly all numbers are integers.
    if (under === 1n) {
      this.over = over;
      this.under = under;
      return;
    }
    const sign = under < 0n ? -1n : 1n;
    const common = gcd(over < 0n ? -over : over, under * sign);
    this.over = (over * sign) / common;
    this.under = (under * sign) / common;
  }

  /** Parses `-12`, `0.5` or `1e-06`; undefined for anything else, and for exponents beyond the range of doubles. */
  static read(text: string): Rational | undefined {
    const [, sign = "", whole = "", decimals = "", exponent = "0"] =
      /^([-+]?)(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d{1,3}))?$/.exec(text) ?? [];
    if (whole === "") return undefined;
    const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${decimals}`);
    const power = Number(exponent) - decimals.length;
    return power >= 0 ? new Rational(digits * 10n ** BigInt(power)) : new Rational(digits, 10n ** BigInt(-power));
  }

  /** The value of a double, read from its shortest decimal form. */
  static of(value: number): Rational | undefined {
    if (Number.isInteger(value)) return new Rational(BigInt(value));
    return Number.isFinite(value) ? Rational.read(String(value)) : undefined;
  }

  get isWhole(): boolean {
    return this.under === 1n;
  }

  plus(other: Rational): Rational {
    if (this.under === 1n && other.under === 1n) return new Rational(this.over + other.over);
    return new Rational(this.over * other.under + other.over * this.under, this.under * other.under);
  }

  minus(other: Rational): Rational {
    return this.plus(other.negated);
  }

  times(other: Rational): Rational {
    return new Rational(this.over * other.over, this.under * other.under);
  }

  /** The quotient; undefined if the divisor is 0. */
  by(other: Rational): Rational | undefined {
    return other.over === 0n ? undefined : new Rational(this.over * other.under, this.under * other.over);
  }

  get negated(): Rational {
    return new Rational(-this.over, this.under);
  }

  get magnitude(): Rational {
    return this.over < 0n ? this.negated : this;
  }

  /** Negative if this number is smaller, positive if it is larger, 0 if both are equal. */
  compare(other: Rational): number {
    const [left, right] = [this.over * other.under, other.over * this.under];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** The nearest integer below, or the number itself; `ceil` is the nearest integer above. */
  get floor(): bigint {
    const quotient = this.over / this.under;
    return this.over < 0n && !this.isWhole ? quotient - 1n : quotient;
  }

  get ceil(): bigint {
    return -this.negated.floor;
  }

  toNumber(): number {
    return this.isWhole ? Number(this.over) : Number(this.over) / Number(this.under);
  }

  /** Formats the number as an SMT-LIB term of sort Real. */
  toSmtlib(): string {
    const size = this.isWhole ? `${abs(this.over)}.0` : `(/ ${abs(this.over)}.0 ${this.under}.0)`;
    return this.over < 0n ? `(- ${size})` : size;
  }
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export const zero = new Rational(0n);
export const one = new Rational(1n);

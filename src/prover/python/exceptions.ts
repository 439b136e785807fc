/**
 * The exceptions of Python that code may name, each with the class above it. Not OSError, which makes
 * other classes of its arguments, nor SyntaxError, which minds its arguments, nor StopIteration,
 * which generators turn into another one.
 */
const above: Readonly<Record<string, string>> = {
  BaseException: "",
  Exception: "BaseException",
  KeyboardInterrupt: "BaseException",
  SystemExit: "BaseException",
  GeneratorExit: "BaseException",
  ArithmeticError: "Exception",
  FloatingPointError: "ArithmeticError",
  OverflowError: "ArithmeticError",
  ZeroDivisionError: "ArithmeticError",
  AssertionError: "Exception",
  AttributeError: "Exception",
  BufferError: "Exception",
  EOFError: "Exception",
  ImportError: "Exception",
  LookupError: "Exception",
  IndexError: "LookupError",
  KeyError: "LookupError",
  MemoryError: "Exception",
  NameError: "Exception",
  UnboundLocalError: "NameError",
  ReferenceError: "Exception",
  RuntimeError: "Exception",
  NotImplementedError: "RuntimeError",
  RecursionError: "RuntimeError",
  SystemError: "Exception",
  TypeError: "Exception",
  ValueError: "Exception",
  UnicodeError: "ValueError",
};

/** What runs out is no part of any claim, so nothing is claimed of code that asks for these by their names. */
export const exhaustions: ReadonlySet<string> = new Set(["MemoryError", "RecursionError"]);

/** What icontract raises where a condition does not hold. No name of Python code looks like this one. */
export const violation = "icontract.ViolationError";

/** What it raises in the place of that where it can't tell which values broke the condition. */
export const untellable = "RuntimeError";

/** By what a call ends here that breaks a condition of the docstring, or whose condition raises: real calls check none. */
export const unmet = "precondition of the docstring";
export const unkept = "postcondition of the docstring";

/** Classes by name, each with the one above it; functions may add their own. */
export type Classes = ReadonlyMap<string, string>;

export const builtin_exceptions: Classes = new Map([...Object.entries(above), [violation, "AssertionError"]]);

/** Whether a class is the other one, or below it. */
export function isA(classes: Classes, name: string, other: string): boolean {
  for (let at: string | undefined = name; at; at = classes.get(at)) if (at === other) return true;
  return false;
}

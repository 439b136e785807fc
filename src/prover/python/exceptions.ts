/**
 * The exceptions of Python that code can name, each with its base class. OSError is missing because it creates other
 * classes from its arguments, SyntaxError because it checks its arguments, StopIteration because generators convert it.
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

/** Exhausted resources are excluded from all claims, so code that names these exceptions is refused. */
export const exhaustions: ReadonlySet<string> = new Set(["MemoryError", "RecursionError"]);

/** The exception of icontract for a violated condition. No name of Python code looks like this one. */
export const violation = "icontract.ViolationError";

/** The exception that icontract raises instead if it can't determine which values violated the condition. */
export const untellable = "RuntimeError";

/**
 * How a call ends that violates a condition of the docstring, or whose condition raises; real calls check no
 * docstrings.
 */
export const unmet = "precondition of the docstring";
export const unkept = "postcondition of the docstring";

/** The exception of an operation that is not modelled: some class below Exception. */
export const unknown_exception = "an unknown exception";

/** Classes by name, each with its base class; functions can add their own. */
export type Classes = ReadonlyMap<string, string>;

export const builtin_exceptions: Classes = new Map([...Object.entries(above), [violation, "AssertionError"]]);

/** Whether a class is the other one, or a subclass of it. */
export function isA(classes: Classes, name: string, other: string): boolean {
  for (let at: string | undefined = name; at; at = classes.get(at)) if (at === other) return true;
  return false;
}

/**
 * Python's exceptions that code can name, each with its base class. OSError is missing because its arguments determine
 * which subclass it creates, SyntaxError because it checks its arguments, and StopIteration because generators convert
 * it.
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
  UnicodeDecodeError: "UnicodeError",
  UnicodeEncodeError: "UnicodeError",
};

/** Exceptions that check their arguments, so that code that raises them is refused. */
export const checking: ReadonlySet<string> = new Set(["UnicodeDecodeError", "UnicodeEncodeError"]);

/** Exhausted resources are excluded from all claims, so code that names these exceptions is rejected. */
export const exhaustions: ReadonlySet<string> = new Set(["MemoryError", "RecursionError"]);

/** The exception that icontract raises for a violated condition. No name in Python code can look like this one. */
export const violation = "icontract.ViolationError";

/** The exception that icontract raises instead of its own if it can't determine which values violated a condition. */
export const untellable = "RuntimeError";

/**
 * Marks the end of a call that violates a condition of the docstring, or in which such a condition raises an exception.
 * Real calls do not check docstrings.
 */
export const unmet = "precondition of the docstring";
export const unkept = "postcondition of the docstring";

/** The exception that an unmodelled operation may raise: an unknown subclass of Exception. */
export const unknown_exception = "an unknown exception";

/** Exception classes by name, each with its base class. A program can add its own. */
export type Classes = ReadonlyMap<string, string>;

export const builtin_exceptions: Classes = new Map([...Object.entries(above), [violation, "AssertionError"]]);

/** Whether a class is the other class or a subclass of it. */
export function isA(classes: Classes, name: string, other: string): boolean {
  for (let at: string | undefined = name; at; at = classes.get(at)) if (at === other) return true;
  return false;
}

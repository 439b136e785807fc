/** Returns a function's result; undefined if it throws an error of this class. Raises any other error. */
export function unless<Result>(kind: abstract new (...args: never[]) => Error, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof kind) return undefined;
    throw error;
  }
}

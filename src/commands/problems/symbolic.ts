import type { Problem } from "./problem.ts";

export const symbolicProblems: readonly Problem[] = [
  {
    title: "A needle in a haystack: no number of random tests would find this input",
    kind: "code",
    tool: "symbolic_check",
    args: {
      function_name: "route",
      code: `def route(weight: int, zone: int) -> str:
    if weight == 31_337 and zone == weight * 3 - 11:
        raise KeyError("no carrier")
    return "air" if weight < 50 else "sea"
`,
    },
  },
  {
    title: "Is the new version the same? A proof for lists of any length",
    kind: "code",
    tool: "compare_functions",
    args: {
      function_a: "before",
      function_b: "after",
      code: `def before(points: list[int], limit: int) -> int:
    total = 0
    for each in points:
        if each > limit:
            total += each * each
    return total

def after(points: list[int], limit: int) -> int:
    return sum(each ** 2 for each in points if limit < each)
`,
    },
  },
  {
    title: "Code that nothing reaches",
    kind: "code",
    tool: "analyze_branches",
    args: {
      function_name: "fare",
      code: `def fare(age: int) -> int:
    if age < 12:
        return 5
    if age < 6:
        return 0
    return 10
`,
    },
  },
];

/**
 * Holds the checks against what is expected not to pass. A check counts as one by scenario and name; only SUCCESS
 * passes. A scenario that checked nothing fails as `nothing`.
 */
export function judged(results, expected) {
  const failed = new Map();
  let passed = 0;
  for (const [scenario, checks] of results) {
    const own = checks.filter(({ id, status }) => status !== "INFO" && id !== "wire-schema-valid");
    const bad = checks.filter(({ status }) => !["SUCCESS", "INFO"].includes(status));
    for (const { id, status, errorMessage } of bad) failed.set(`${scenario}:${id}`, `${status} ${errorMessage ?? ""}`);
    if (own.length === 0) failed.set(`${scenario}:nothing`, "no check was made");
    passed += checks.filter(({ status }) => status === "SUCCESS").length;
  }
  const faults = [...failed]
    .filter(([check]) => !expected.includes(check))
    .map(([check, reason]) => `${check} failed: ${reason}`);
  for (const check of expected)
    if (!failed.has(check)) faults.push(`${check} is in the baseline, but it passes or is not made: take it out`);
  return { passed, faults };
}

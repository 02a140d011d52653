import type { Deps } from "#src/base/deps.ts";
import { type Result, runChecks } from "#src/operate/checks/check.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import type { Part } from "#src/operate/checks/contract.ts";

/** Runs all checks of a running process. @returns what was found about this part. */
export async function runCheck(deps: Deps, part: Part): Promise<Result> {
  const result = (await runChecks(deps, adminChecks)).find(({ check }) => check.part === part);
  if (result === undefined) throw new Error(`Nothing checks ${part}.`);
  return result;
}

/** One look at all parts, of which these are not well. */
export const seen = (states: Readonly<Record<string, string>>): Result[] =>
  adminChecks.map((check) => {
    const { part, cure = "" } = check;
    const state = states[part] ?? "ok";
    const severity = state === "ok" || state === "unknown" ? null : check.severity;
    return { check, state, severity, what: `${part} ${state}`, said: "", cure, tookMs: 0 };
  });

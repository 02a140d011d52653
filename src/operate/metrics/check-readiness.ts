import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { examineAll } from "#src/operate/doctor/examination.ts";
import { isStanding, standingExaminations } from "#src/operate/doctor/examinations.ts";
import { troubleTitles } from "#src/operate/operations/contract.ts";
import { listTroubles } from "#src/operate/troubles/list-troubles.ts";
import { ownProcess } from "#src/operate/troubles/own-process.ts";
import type { ReadinessCheck } from "./readiness-check.ts";
import { readinessChecks } from "./readiness-checks.ts";

/** A part without which nothing is served, and that has not replied by then, is away. */
const REPLY_TIMEOUT_MS = 2_000;
/** For the other parts. Proxies wait for /ready no longer than a second or two, and none of these may cost a process its requests. */
const DEGRADED_TIMEOUT_MS = 1_000;
/** A check costs statements, and anybody may ask. */
const KEPT_MS = 1_000;

/** Something that is wrong: "redis away", and what to do about it. */
type Wrong = { part: string; what: string; detail?: string; cure: string };

/** Whether a process can serve requests, and what is wrong beside that. */
type Readiness = {
  /** The state of each part: "ok", "unknown", or what is wrong with it. */
  parts: Record<string, string>;
  /** Nothing can be served because of these. */
  unready: Wrong[];
  /** Requests are served, and something else does not work: here, or in another process, which is named then. */
  degraded: (Wrong & { process?: string })[];
  /** Settings that work, and should be otherwise. */
  warnings: string[];
};

/** Returns what checks the readiness. All who ask during a check, and for a second after it, get the same answer. */
export function createReadinessCheck(deps: Deps): () => Promise<Readiness> {
  let checked: Promise<Readiness> | null = null;
  return () => {
    if (checked !== null) return checked;
    const checking = checkReadiness(deps);
    checked = checking;
    void checking.then(() => setTimeout(() => (checked = null), KEPT_MS).unref());
    return checking;
  };
}

async function checkReadiness(deps: Deps): Promise<Readiness> {
  const [looked, warnings, elsewhere] = await Promise.all([
    lookAt(deps),
    findWarnings(deps),
    findElsewhere(deps),
  ]);
  const wrong = (needed: boolean) =>
    looked.flatMap(({ check: { part }, isFine: fine, what, cure, detail, check }) =>
      fine || check.needed !== needed ? [] : [{ part, what, cure, ...(detail !== undefined && { detail }) }],
    );
  const parts = Object.fromEntries(looked.map(({ check, state }) => [check.part, state]));
  return { parts, unready: wrong(true), degraded: [...wrong(false), ...elsewhere], warnings };
}

/** What other processes have noted about themselves. */
async function findElsewhere({ pool, log }: Deps): Promise<(Wrong & { process: string })[]> {
  const own = ownProcess(log);
  const read = listTroubles(pool.db).catch(() => []);
  const rows = await Promise.race([read, Bun.sleep(DEGRADED_TIMEOUT_MS).then(() => [])]);
  return rows.flatMap(({ part, process, what, detail, cure }) =>
    process === "" || process === own
      ? []
      : [{ part, process, what, cure, ...(detail !== null && { detail }) }],
  );
}

/** One look at a part. */
export type Looked = {
  check: ReadinessCheck;
  /** "ok", "unknown", or what is wrong. */
  state: string;
  /** False only where something is wrong. */
  isFine: boolean;
  /** "redis away" */
  what: string;
  detail?: string;
  /** Where it may follow from another part that is wrong, first of all to cure that one. */
  cure: string;
};

/**
 * Looks at all parts. It answers within two seconds, whatever is away.
 * @param checks by default all of them.
 */
export async function lookAt(
  deps: Deps,
  checks: readonly ReadinessCheck[] = readinessChecks,
): Promise<Looked[]> {
  const checked = await checkParts(deps, checks);
  const wrong = new Map<string, string>(
    checked.flatMap(({ check: { part }, state }) =>
      isFine(state) ? [] : [[part, titleOf(part, state)] as const],
    ),
  );
  return checked.map(({ check, state, detail, cure = check.cure }) => {
    const cause = check.follows?.find((part) => wrong.has(part));
    return {
      check,
      state,
      isFine: isFine(state),
      what: `${check.part} ${state}`,
      cure:
        cause === undefined ? cure : `First cure "${wrong.get(cause)}", from which it may follow. ${cure}`,
      ...(detail !== undefined && { detail }),
    };
  });
}

/**
 * Which of the parts that may be missing are degraded. It answers within a second, whatever is away.
 * @returns each part, and whether it is.
 */
export async function findDegraded(deps: Deps): Promise<{ part: string; isDegraded: boolean }[]> {
  const checked = await checkParts(
    deps,
    readinessChecks.filter(({ needed }) => !needed),
  );
  return checked.map(({ check: { part }, state }) => ({ part, isDegraded: !isFine(state) }));
}

function isFine(state: string): boolean {
  return state === "ok" || state === "unknown";
}

const titleOf = (part: string, state: string) => troubleTitles[`${part} ${state}`] ?? `${part} ${state}`;

type Checked = { check: ReadinessCheck; state: string; detail?: string; cure?: string };

function checkParts(deps: Deps, checks: readonly ReadinessCheck[]): Promise<Checked[]> {
  return Promise.all(
    checks.map(async (check) => {
      const said = await stateOf(deps, check);
      return { check, ...(typeof said === "string" ? { state: said } : said) };
    }),
  );
}

async function stateOf(
  deps: Deps,
  { part, needed, silent, check }: ReadinessCheck,
): ReturnType<ReadinessCheck["check"]> {
  const withinMs = needed ? REPLY_TIMEOUT_MS : DEGRADED_TIMEOUT_MS;
  try {
    return await Promise.race([check(deps), Bun.sleep(withinMs).then(() => silent)]);
  } catch (error) {
    deps.log.debug({ err: error, part }, "a part is not ready");
    return needed ? { state: silent, detail: explainError(error) } : silent;
  }
}

/** What stands otherwise than it should. Nothing about the database while it is away. */
async function findWarnings(deps: Deps): Promise<string[]> {
  const results = await Promise.race([
    examineAll(deps, standingExaminations, DEGRADED_TIMEOUT_MS),
    Bun.sleep(REPLY_TIMEOUT_MS).then(() => []),
  ]);
  return results.flatMap(({ what, state, said, cure }) =>
    isStanding(what) && state !== "ok" && state !== "unknown" ? [`${said} ${cure}`] : [],
  );
}

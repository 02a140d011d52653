import { asTyped } from "#src/base/as-typed.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import type { Part } from "./contract.ts";

// Decision: whether the product is well is one list of checks, and one runner. The start tries what it needs once and logs what is not well,
// `bun run doctor` prints it without a start; /ready, the metrics, the log and the operators' home say what may change while a process
// runs; the health of a show says it of what the show runs on.

export type AtStart = Pick<Deps, "env" | "pool" | "redis" | "store" | "collector" | "sendsMails">;

export type Finding = {
  /** "ok", "unknown" where it cannot be known, or in one word what is wrong. */
  state: string;
  said?: string;
  /** Of this very state. */
  cure?: string;
  severity?: Severity;
};

/**
 * What it means if it is not well. "refused": nothing works, and a process does not start. "away": nothing works until it does. "degraded": a
 * part does not work. "advice": it works, and should be otherwise.
 */
type Severity = "refused" | "away" | "degraded" | "advice";

/** What is checked, where it counts, and its cure. */
type Described = {
  /** What is checked. Where it is watched, /ready, the metrics and the operators' home name it so: "redis". */
  part: string;
  /**
   * Where it counts. "start": the start of a process tries it, and the doctor. "doctor": the doctor alone. "ready": /ready answers 503 or warns. "admin": processes
   * watch it, and it is said at the operators' home, in the log, in the metrics and by /ready, which stays 200.
   */
  at: readonly ("start" | "doctor" | "ready" | "admin")[];
  severity: Severity;
  /** In the table of the doctor, where that is not the part, and how it is tried. */
  title?: string;
  how?: string;
  /** The check without which this one can say nothing. */
  after?: string;
  /** What it means, and what an operator does about it. */
  cure?: string;
  /** The state without an answer. Left out: nothing is known; at the start alone it is not well, and the error is what is wrong. */
  silent?: string;
  /** "all": every process sees the same. "one": so it does, and one looks for all, as that costs statements. Left out: it is about this process. */
  seenBy?: "all" | "one";
  /** What is wrong with it follows from what is wrong with one of these, which is to be cured. */
  follows?: readonly Part[];
};

/** A text is a state about which nothing else is known. */
export type Found = Finding | string;

export type Check<Needs = Deps> = Described & { find: (needs: Needs) => Found | Promise<Found> };

/** A check of a part that others can do without. */
type Usual<Needs> = Omit<Check<Needs>, "at" | "severity"> & Partial<Pick<Check, "at" | "severity">>;

type Watched = Usual<Deps> & { cure: string; follows: readonly Part[] };

/** Checks of what processes watch, and requests can do without. @param seenBy who sees the same, where a check does not say it. */
export function watched(seenBy: "own" | "one", checks: readonly Watched[]): readonly Check[] {
  const usual = { at: ["admin"], severity: "degraded", ...(seenBy !== "own" && { seenBy }) } as const;
  return checks.map((check) => ({ ...usual, ...check }));
}

export function atStart<Needs>(checks: readonly Usual<Needs>[]): readonly Check<Needs>[] {
  return checks.map((check) => ({ at: ["start"], severity: "degraded", ...check }));
}

export type Result = {
  check: Described;
  state: string;
  /** Null where nothing is wrong, as far as it is known. */
  severity: Severity | null;
  /** The part with its state: "redis away". */
  what: string;
  said: string;
  cure: string;
  tookMs: number;
};

export const well = (said = ""): Finding => ({ state: "ok", said });

/** @param lines about what is wrong; none: nothing is. */
export const listed = (state: string, lines: readonly string[]): Finding =>
  lines.length === 0 ? well() : { state, said: lines.join("\n") };

/** A part without which nothing is served, and that has not answered by then, is away. */
const NEEDED_WITHIN_MS = 2_000;
/** Proxies wait for /ready no longer than a second or two, and no other part may cost a process its requests. */
const OTHERS_WITHIN_MS = 1_000;

/** Makes these checks at once. @param withinMs how long each may take; left out: as long as in a process that serves. */
export function runChecks<Needs>(
  needs: Needs,
  checks: readonly Check<Needs>[],
  withinMs?: number,
): Promise<Result[]> {
  const made = new Map<string, Promise<Result>>();
  for (const check of checks) {
    const before = check.after === undefined ? undefined : made.get(check.after);
    const usualMs = check.severity === "away" ? NEEDED_WITHIN_MS : OTHERS_WITHIN_MS;
    made.set(check.part, runAfter(needs, check, { before, withinMs: withinMs ?? usualMs }));
  }
  return Promise.all(made.values());
}

async function runAfter<Needs>(
  needs: Needs,
  check: Check<Needs>,
  { before, withinMs }: { before: Promise<Result> | undefined; withinMs: number },
): Promise<Result> {
  const isTried = before === undefined || (await before).state === "ok";
  const startMs = performance.now();
  const find = async () => check.find(needs);
  const finding = isTried
    ? await Promise.race([
        find().catch((error: unknown) => failed(check, error)),
        Bun.sleep(withinMs).then(() => silent(check, withinMs)),
      ])
    : { state: "unknown", said: "not tried: see above", cure: "" };
  const {
    state,
    said = "",
    cure = check.cure ?? "",
    severity = check.severity,
  } = typeof finding === "string" ? { state: finding } : finding;
  const isFine = state === "ok" || state === "unknown";
  return {
    check,
    state,
    severity: isFine ? null : severity,
    what: `${check.part} ${state}`,
    said: asTyped(said),
    cure: isFine ? "" : asTyped(cure),
    tookMs: performance.now() - startMs,
  };
}

/** What could not be tried is not known to be unfit: a slow server is waited for, and no start is refused for it. */
const withoutRefusal = ({ severity }: Described) => (severity === "refused" ? "away" : severity);

function stateWithoutAnswer({ at, silent: state }: Described): string | undefined {
  return state ?? (at.some((place) => place !== "start") ? "unknown" : undefined);
}

/** What is wrong, and the cure where it is known, are two lines. */
function failed(check: Described, error: unknown): Finding {
  const explained = explainError(error);
  const state = stateWithoutAnswer(check);
  if (state !== undefined) return { state, said: explained };
  const [said = "", ...cure] = explained.split("\n");
  return { state: "failed", said, cure: cure.join(" "), severity: withoutRefusal(check) };
}

function silent(check: Described, withinMs: number): Finding {
  const state = stateWithoutAnswer(check);
  if (state !== undefined) return { state };
  return {
    state: check.severity === "advice" ? "unknown" : "silent",
    said: `No answer within ${withinMs / 1_000} s.`,
    cure: "Check that the server runs, its address in the settings, and the network between.",
    severity: withoutRefusal(check),
  };
}

/** What it is called in the doctor's table and in the log. */
const titleOf = ({ part, title = part }: Described) => title;

/** One line about what is not well: "Postgres: encoding: LATIN1. Create ...". */
export function lineOf({ check, said, cure }: Result): string {
  const sentence = /[.!?]$/.test(said) ? said : `${said}.`;
  return `${titleOf(check)}: ${cure === "" ? said : `${sentence} ${cure}`}`;
}

/** The results as a table for a terminal, each cure below its row. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ check, state, severity, said, cure }) => ({
    columns: [severity ?? state, titleOf(check), check.how ?? ""],
    said,
    cure,
  }));
  const widths = [
    8,
    ...[1, 2].map((index) => Math.max(...rows.map(({ columns }) => (columns[index] ?? "").length))),
  ];
  const lines = rows.flatMap(({ columns, said, cure }) => [
    [...columns.map((column, index) => column.padEnd(widths[index] ?? 0)), said].join("  "),
    ...(cure === "" ? [] : [`          -> ${cure}`]),
  ]);
  return lines.join("\n");
}

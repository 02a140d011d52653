import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";

// Decision: what the product needs of its servers, folders and settings is one list of records. The start tries it once and logs what is
// not well, `bun run doctor` prints all of it without a start, and /ready repeats what may change while a process runs.

/** What the examinations look at. */
export type Examined = Pick<Deps, "env" | "pool" | "redis" | "store" | "collector">;

/** What was found: that it is well, or what is wrong and what to do about it. */
export type Finding =
  | { well: true; said: string }
  | { well: false; said: string; cure: string; otherwise?: Examination["otherwise"] };

type Unfit = Extract<Finding, { well: false }>;

export type Examination<Needs = Examined> = {
  /** What is examined: "Postgres: version". */
  what: string;
  /** How it is tried. */
  how: string;
  /**
   * What it means if it is not well. "refused": nothing works, and a process does not start. "away": the start waits for it, or goes on
   * without it. "degraded": a part does not work. "advice": it works, and should be otherwise.
   */
  otherwise: "refused" | "away" | "degraded" | "advice";
  /** The examination without which this one can say nothing. */
  after?: string;
  /** Something else of the process watches it and says it, also later. */
  watched?: true;
  /** It is cheap and may change, so /ready repeats it. */
  standing?: true;
  examine: (examined: Needs) => Promise<Finding>;
};

/** An examination that was made. */
export type Result = { what: string; how: string; state: State; said: string; cure: string };
type State = "ok" | Examination["otherwise"] | "unknown";

const ANSWERS_WITHIN_MS = 5_000;

/** Makes all examinations at once, each within this time. */
export async function examineAll<Needs>(
  examined: Needs,
  examinations: readonly Examination<Needs>[],
  withinMs = ANSWERS_WITHIN_MS,
): Promise<Result[]> {
  const made = new Map<string, Promise<Result>>();
  for (const one of examinations) {
    const before = one.after === undefined ? undefined : made.get(one.after);
    made.set(one.what, examineAfter(examined, one, { before, withinMs }));
  }
  return Promise.all(made.values());
}

async function examineAfter<Needs>(
  examined: Needs,
  one: Examination<Needs>,
  { before, withinMs }: { before: Promise<Result> | undefined; withinMs: number },
): Promise<Result> {
  const { what, how } = one;
  if (before !== undefined && (await before).state !== "ok")
    return { what, how, state: "unknown", said: "not tried: see above", cure: "" };
  // What could not be examined is not known to be unfit: a slow server is waited for, and no start is refused for it.
  const unknown = one.otherwise === "refused" ? "away" : one.otherwise;
  const found = await Promise.race([
    one.examine(examined).catch((error: unknown) => ({ ...failed(error), otherwise: unknown })),
    Bun.sleep(withinMs).then(() => null),
  ]);
  if (found === null) {
    const state = unknown === "advice" ? "unknown" : unknown;
    return { what, how, state, said: `No answer within ${withinMs / 1_000} s.`, cure: SILENT_CURE };
  }
  const { said } = found;
  if (found.well) return { what, how, state: "ok", said, cure: "" };
  return { what, how, state: found.otherwise ?? one.otherwise, said, cure: found.cure };
}

const SILENT_CURE = "Check that the server runs, its address in the settings, and the network between.";

/** What is wrong, and the cure where it is known, are two lines. */
function failed(error: unknown): Unfit {
  const [said = "", ...cure] = explainError(error).split("\n");
  return { well: false, said, cure: cure.join(" ") };
}

/** One line about what is not well: "Postgres: encoding: LATIN1. Create ...". */
export function lineOf({ what, said, cure }: Result): string {
  const sentence = /[.!?]$/.test(said) ? said : `${said}.`;
  return `${what}: ${cure === "" ? said : `${sentence} ${cure}`}`;
}

/** The results as a table for a terminal, each cure below its row. */
export function tableOf(results: readonly Result[]): string {
  const width = (name: "what" | "how") => Math.max(...results.map((one) => one[name].length));
  const [whatWidth, howWidth] = [width("what"), width("how")];
  const lines = results.flatMap(({ state, what, how, said, cure }) => [
    `${state.padEnd(8)}  ${what.padEnd(whatWidth)}  ${how.padEnd(howWidth)}  ${said}`,
    ...(cure === "" ? [] : [`          -> ${cure}`]),
  ]);
  return lines.join("\n");
}

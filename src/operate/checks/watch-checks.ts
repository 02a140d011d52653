import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { inTime } from "#src/operate/work/queues.ts";
import { type Result, runChecks } from "./check.ts";
import { adminChecks, STARTS_WITHIN_MS } from "./checks.ts";
import { causeOf } from "./fold-troubles.ts";
import {
  endTroubles,
  noteOver,
  noteTroubles,
  ownProcess,
  type PartOf,
  stillTroubled,
  type Trouble,
  troubleOf,
} from "./noted-checks.ts";

// Decision: each process runs all checks again and again. What is wrong at two looks in a row is one row for the operators' home and
// one line of the log, and so is its end. What concerns the product as a whole is said by the process that has noted it first. What
// that only follows from something else that is wrong is no error of the log. A part of which nothing is known is neither wrong nor well. What costs statements is looked at by one process for all, so an idle
// product stays idle with many processes.

const LOOK_EVERY_MS = 1_500;
/** A failover, a new connection, a worker that is replaced is no trouble. */
const LOOKS_MIN = 2;
/** How often what others have noted is looked through for what works again. */
const ENDS_EVERY_LOOKS = 3;

type WatchDeps = Pick<Deps, "pool" | "log">;

type Seen = {
  trouble: Trouble;
  isNeeded: boolean;
  looks: number;
  isNoted: boolean;
  /** How the log has it. */
  said: "cause" | "effect" | null;
  /** What it follows from: "redis away". Null: it is a cause itself. */
  cause: string | null;
};

/** What is wrong, as a process has seen it. `isNoted`: the database has that too, with what others have seen. */
export type Look = { wrong: readonly Trouble[]; isNoted: boolean };

const ownChecks = adminChecks.filter(({ seenBy }) => seenBy !== "one");

/** The key of Redis with the name of the process whose turn it is. */
export const TURN_KEY = "watch:turn";
/** Longer than the time between two looks, so that who has the turn keeps it. */
const KEPT_MS = 2_500;
/** A Redis that does not answer keeps nobody from looking. */
const ANSWERS_WITHIN_MS = 300;

/** Takes or keeps the turn of what one process does for all. @returns true also where Redis cannot say whose turn it is. */
export async function takeTurn({ redis }: Pick<Deps, "redis">, by: string, key = TURN_KEY): Promise<boolean> {
  return (await inTime(keepTurn(redis, by, key), ANSWERS_WITHIN_MS)) ?? true;
}

async function keepTurn(redis: Deps["redis"], process: string, key: string): Promise<boolean> {
  if ((await redis.set(key, process, "PX", KEPT_MS, "NX")) === "OK") return true;
  if ((await redis.get(key)) !== process) return false;
  await redis.pexpire(key, KEPT_MS);
  return true;
}

/** Runs the checks of a process until it is stopped. @param tell gets what each look has found. */
export function watchChecks(deps: Deps, tell: (look: Look) => Promise<void>): { stop: () => Promise<void> } {
  const watch = new Watch(deps, STARTS_WITHIN_MS);
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= takeTurn(deps, ownProcess(deps.log))
      .then((hasTurn) => runChecks({ ...deps, hasTurn }, hasTurn ? adminChecks : ownChecks))
      .then((results) => watch.take(results))
      .then(tell)
      .catch((error: unknown) => deps.log.error({ err: error }, "the checks could not be run"))
      .finally(() => (looking = null));
  }, LOOK_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Notes and says what has changed since the look before. */
export class Watch {
  readonly #deps: WatchDeps;
  readonly #process: string;
  readonly #seen = new Map<string, Seen>();
  /** What was over last: what follows from it may not be, for a moment. */
  #over: (Trouble & { endedAt: Date })[] = [];
  readonly #known = new Set<string>();
  readonly #startedAtMs: number;
  #looks = 0;

  /** @param startsWithinMs for so long it waits with what has not worked yet. */
  constructor(deps: WatchDeps, startsWithinMs = 0) {
    this.#deps = deps;
    this.#process = ownProcess(deps.log);
    this.#startedAtMs = performance.now() + startsWithinMs;
  }

  async take(results: readonly Result[]): Promise<Look> {
    const wrong = results.flatMap((result) => (result.severity === null ? [] : [this.#see(result)]));
    const works = results.filter(({ state }) => state === "ok").map(({ check }) => this.#partOf(check));
    const over = works.flatMap(({ part }) => this.#seen.get(part) ?? []);
    const now = serverNow();
    const ended = over.map(({ trouble }) => ({ ...trouble, endedAt: now }));
    this.#over = [...this.#over, ...ended].slice(-adminChecks.length);
    for (const { part } of works) {
      this.#seen.delete(part);
      this.#known.add(part);
    }
    const all = [...this.#over, ...troublesOf([...this.#seen.values()])];
    for (const seen of wrong) {
      const cause = causeOf(seen.trouble, all, now)?.what ?? null;
      // Its cause is over: from now on it counts as any other.
      if (seen.cause !== null && cause === null) seen.looks = 1;
      seen.cause = cause;
    }
    const isStarting = performance.now() < this.#startedAtMs;
    const confirmed = wrong.filter(
      ({ looks, isNeeded, trouble: { part } }) =>
        // What is needed is waited for already.
        (isNeeded || looks >= LOOKS_MIN) && !(isStarting && !this.#known.has(part)),
    );
    let isNoted = true;
    try {
      await this.#note(confirmed, { works, over });
    } catch (error) {
      // The database is away: what is wrong is said, and noted when it is back.
      this.#deps.log.debug({ err: error }, "what is wrong could not be noted");
      for (const seen of confirmed) this.#sayBegin(seen);
      for (const { trouble, said } of over) if (said !== null) this.#sayEnd(trouble);
      isNoted = false;
    }
    return { wrong: troublesOf(confirmed), isNoted };
  }

  async #note(
    confirmed: readonly Seen[],
    { works, over }: { works: readonly PartOf[]; over: readonly Seen[] },
  ): Promise<void> {
    const { db } = this.#deps.pool;
    const known = confirmed.filter(({ isNoted }) => isNoted);
    const fresh = confirmed.filter(({ isNoted }) => !isNoted);
    const began = await noteTroubles(db, troublesOf(fresh));
    for (const seen of fresh) {
      seen.isNoted = true;
      if (began.some(({ part }) => part === seen.trouble.part)) this.#sayBegin(seen);
    }
    const still = await stillTroubled(db, troublesOf(known));
    for (const seen of known) {
      if (seen.said === "effect") this.#sayBegin(seen);
      // Another process has seen it work since this one has looked: it is looked at again.
      const { part } = seen.trouble;
      if (!still.some((each) => each.part === part)) this.#seen.delete(part);
    }
    // What this process has not seen itself may be of one that has ended meanwhile.
    const isOver = over.length > 0 || this.#looks % ENDS_EVERY_LOOKS === 0;
    this.#looks += 1;
    for (const part of isOver ? await endTroubles(db, works) : []) this.#sayEnd(part);
    const unnoted = over.filter(({ said, isNoted }) => said !== null && !isNoted);
    await noteOver(db, troublesOf(unnoted));
    for (const { trouble } of unnoted) this.#sayEnd(trouble);
  }

  #see(result: Result): Seen {
    const { part } = result.check;
    const before = this.#seen.get(part);
    const since = before?.trouble.since ?? serverNow();
    const seen: Seen = {
      isNoted: false,
      said: null,
      cause: null,
      ...before,
      looks: (before?.looks ?? 0) + 1,
      trouble: troubleOf(result, { process: this.#process, since }),
      isNeeded: result.severity === "away",
    };
    this.#seen.set(part, seen);
    return seen;
  }

  #partOf({ part, seenBy }: Result["check"]): PartOf {
    return { part, process: seenBy === undefined ? this.#process : "" };
  }

  #sayBegin(seen: Seen): void {
    const { said, cause } = seen;
    if (said === "cause" || (said === "effect" && cause !== null)) return;
    seen.said = cause === null ? "cause" : "effect";
    const { part, what, detail, cure } = seen.trouble;
    const fields = { part, ...(detail !== null && { detail }) };
    if (cause === null) this.#deps.log.error(fields, `${what}. ${cure}`);
    else this.#deps.log.info(fields, `${what}, which follows from ${cause}`);
  }

  #sayEnd({ part }: PartOf): void {
    this.#deps.log.info({ part }, `${part} can be used again`);
  }
}

const troublesOf = (seen: readonly Seen[]) => seen.map(({ trouble }) => trouble);

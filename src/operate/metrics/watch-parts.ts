import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import {
  endTroubles,
  noteOver,
  noteTroubles,
  type PartOf,
  stillTroubled,
  type Trouble,
} from "#src/operate/troubles/note-troubles.ts";
import { ownProcess } from "#src/operate/troubles/own-process.ts";
import { type Looked, lookAt } from "./check-readiness.ts";
import { readinessChecks } from "./readiness-checks.ts";
import { takeTurn } from "./take-turn.ts";

// Decision: each process looks at all parts again and again. What is wrong at two looks in a row is one row for the operators' home and
// one line of the log, and so is its end. What concerns the product as a whole is said by the process that has noted it first. A part
// of which nothing is known is neither wrong nor well. What costs statements is looked at by one process for all (take-turn.ts), so an idle
// product stays idle with many processes.

const LOOK_EVERY_MS = 1_500;
/** A failover, a new connection, a worker that is replaced is no trouble. */
const LOOKS_MIN = 2;
/** So long after its start a process says of no part that it is wrong which it has not seen work yet: a busy machine starts slowly. */
const STARTS_WITHIN_MS = 15_000;
/** How often what others have noted is looked through for what works again. */
const ENDS_EVERY_LOOKS = 3;

type WatchDeps = Pick<Deps, "pool" | "log">;

/** What this process has seen of a trouble. */
type Seen = { trouble: Trouble; needed: boolean; looks: number; isNoted: boolean; isSaid: boolean };

/** What another part of the program writes to the log. */
const logged = new Set<string>(
  readinessChecks.flatMap((check) => (check.logged === true ? [check.part] : [])),
);

/** What each process looks at. */
const ownChecks = readinessChecks.filter(({ byOne }) => byOne !== true);

/** Watches all parts of a process until it is stopped. */
export function watchParts(deps: Deps): { stop: () => Promise<void> } {
  const watch = new Watch(deps, STARTS_WITHIN_MS);
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= takeTurn(deps, ownProcess(deps.log))
      .then((hasTurn) => lookAt(deps, hasTurn ? readinessChecks : ownChecks))
      .then((looked) => watch.take(looked))
      .catch((error: unknown) => deps.log.error({ err: error }, "the parts could not be looked at"))
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
  /** The parts that have worked. */
  readonly #known = new Set<string>();
  readonly #startedAtMs: number;
  #looks = 0;

  /** @param startsWithinMs for so long it waits with what has not worked yet. */
  constructor(deps: WatchDeps, startsWithinMs = 0) {
    this.#deps = deps;
    this.#process = ownProcess(deps.log);
    this.#startedAtMs = performance.now() + startsWithinMs;
  }

  /** Takes what was seen at one look. */
  async take(looked: readonly Looked[]): Promise<void> {
    const wrong = looked.flatMap((part) => (part.isFine ? [] : [this.#see(part)]));
    const works = looked.filter(({ state }) => state === "ok").map(({ check }) => this.#partOf(check));
    const over = works.flatMap(({ part }) => this.#seen.get(part) ?? []);
    for (const { part } of works) {
      this.#seen.delete(part);
      this.#known.add(part);
    }
    const isStarting = performance.now() < this.#startedAtMs;
    const confirmed = wrong.filter(
      ({ looks, needed, trouble: { part } }) =>
        // What is needed is waited for already.
        (needed || looks >= LOOKS_MIN) && !(isStarting && !this.#known.has(part)),
    );
    try {
      await this.#note(confirmed, { works, over });
    } catch (error) {
      // The database is away: what is wrong is said, and noted when it is back.
      this.#deps.log.debug({ err: error }, "what is wrong could not be noted");
      for (const seen of confirmed) this.#sayBegin(seen);
      for (const { trouble, isSaid } of over) if (isSaid) this.#sayEnd(trouble);
    }
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
    // Another process has seen it work since this one has looked: it is looked at again.
    for (const { trouble } of known)
      if (!still.some(({ part }) => part === trouble.part)) this.#seen.delete(trouble.part);
    // What this process has not seen itself may be of one that has ended meanwhile.
    const isOver = over.length > 0 || this.#looks % ENDS_EVERY_LOOKS === 0;
    this.#looks += 1;
    for (const part of isOver ? await endTroubles(db, works) : []) this.#sayEnd(part);
    const unnoted = over.filter(({ isSaid, isNoted }) => isSaid && !isNoted);
    await noteOver(db, troublesOf(unnoted));
    for (const { trouble } of unnoted) this.#sayEnd(trouble);
  }

  #see({ check, what, cure, detail }: Looked): Seen {
    const before = this.#seen.get(check.part);
    const since = before?.trouble.since ?? serverNow();
    const seen: Seen = {
      isNoted: false,
      isSaid: false,
      ...before,
      looks: (before?.looks ?? 0) + 1,
      trouble: { ...this.#partOf(check), what, detail: detail ?? null, cure, since },
      needed: check.needed,
    };
    this.#seen.set(check.part, seen);
    return seen;
  }

  #partOf({ part, shared }: { part: string; shared: boolean }): PartOf {
    return { part, process: shared ? "" : this.#process };
  }

  #sayBegin(seen: Seen): void {
    if (seen.isSaid) return;
    seen.isSaid = true;
    const { part, what, detail, cure } = seen.trouble;
    if (!logged.has(part))
      this.#deps.log.error({ part, ...(detail !== null && { detail }) }, `${what}. ${cure}`);
  }

  #sayEnd({ part }: PartOf): void {
    if (!logged.has(part)) this.#deps.log.info({ part }, `${part} can be used again`);
  }
}

const troublesOf = (seen: readonly Seen[]) => seen.map(({ trouble }) => trouble);

import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { lockCounts } from "#src/base/lock.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { Draining } from "#src/http/draining.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { readyChecks } from "#src/operate/checks/checks.ts";
import { type Fault, foldTroubles } from "#src/operate/checks/fold-troubles.ts";
import {
  listPastTroubles,
  listTroubles,
  ownProcess,
  type Trouble,
  troublesIn,
} from "#src/operate/checks/noted-checks.ts";
import { findLastBackup } from "#src/operate/work/backups.ts";
import { inTime } from "#src/operate/work/queues.ts";
import { isObserver } from "./require-observer.ts";

// Decision: /ready decides about traffic alone. A process is ready while it can answer pages and calls, and proxies may use it. All else
// that is wrong is degraded.

const RETRY_AFTER_S = 2;
/** A check costs statements, and anybody may ask. */
const KEPT_MS = 1_000;

/** What has lately ended: what follows from it may last for a moment longer. */
const PAST_READ = 50;
type Over = Trouble & { endedAt: Date };

/** "redis away", and what to do about it. `process`: those that see it; left out: it is about the product as a whole. */
type Wrong = { process?: string; what: string; detail?: string; cure: string; follows?: Fault["follows"] };

/** Whether a process can serve requests, and what is wrong beside that. */
type Readiness = {
  /** The state of each part: "ok", "unknown", or what is wrong with it. */
  parts: Record<string, string>;
  /** Nothing can be served because of these. */
  unready: Wrong[];
  /** Requests are served, and something else does not work: here, or in another process. */
  degraded: Wrong[];
  /** Settings that work, and should be otherwise. */
  warnings: string[];
  /** The last good backup of each night; null: there is none, or it is not known. */
  lastBackup: Awaited<ReturnType<typeof findLastBackup>>;
};

/** Returns what checks the readiness. All who ask during a check, and for a second after it, get the same answer. */
export function createReadinessCheck(deps: Deps): () => Promise<Readiness> {
  let checked: Promise<Readiness> | null = null;
  // This process notes what is over somewhat later.
  let over: readonly Over[] = [];
  return () => {
    if (checked !== null) return checked;
    const checking = checkReadiness(deps, over).then(({ own, ...readiness }) => {
      const seen = new Set(own.map(({ part }) => part));
      const endedAt = serverNow();
      over = [...over.filter(({ part }) => !seen.has(part)), ...own.map((each) => ({ ...each, endedAt }))];
      return readiness;
    });
    checked = checking;
    void checking.then(() => setTimeout(() => (checked = null), KEPT_MS).unref());
    return checking;
  };
}

/** It answers within two seconds, whatever is away. @param over what this process has seen before. */
async function checkReadiness(
  deps: Deps,
  over: readonly Over[],
): Promise<Readiness & { own: readonly Trouble[] }> {
  const { db } = deps.pool;
  const listing = inTime(Promise.all([listTroubles(db), listPastTroubles(db, PAST_READ)]));
  const [results, listed, lastBackup] = await Promise.all([
    runChecks(deps, readyChecks),
    listing,
    inTime(findLastBackup(db)),
  ]);
  // Nothing is known of other processes while the database is away.
  const [noted, past] = listed ?? [[], []];
  const watched = results.filter(({ check }) => check.at.includes("admin"));
  const [now, process] = [serverNow(), ownProcess(deps.log)];
  const own = troublesIn(watched, { process, since: now }).map((trouble) => {
    const isSame = ({ part, process: by }: Trouble) => part === trouble.part && by === trouble.process;
    return { ...trouble, since: noted.find(isSame)?.since ?? now };
  });
  const parts = Object.fromEntries(watched.map(({ check, state }) => [check.part, state]));
  // What another process looks at for all may not be known here.
  const elsewhere = noted.filter(
    (each) => each.process !== process && (each.process !== "" || parts[each.part] === "unknown"),
  );
  const open = [...own, ...elsewhere];
  const isOver = ({ part, process: by }: Trouble) =>
    !open.some((each) => each.part === part && each.process === by);
  const all = foldTroubles([...open, ...[...over, ...past].filter(isOver)], now);
  const faults = all.filter(({ endedAt }) => endedAt === null);
  const away = new Set(results.flatMap(({ severity, check }) => (severity === "away" ? [check.part] : [])));
  return {
    own,
    parts,
    lastBackup,
    unready: faults.filter(({ part }) => away.has(part)).map(presentFault),
    degraded: faults.filter(({ part }) => !away.has(part)).map(presentFault),
    warnings: results.flatMap(({ severity, said, cure }) =>
      severity === "advice" ? [`${said} ${cure}`] : [],
    ),
  };
}

function presentFault({ process, what, detail, cure, follows }: Fault): Wrong {
  return {
    what,
    cure,
    ...(process !== null && { process }),
    ...(detail !== null && { detail }),
    ...(follows.length > 0 && { follows }),
  };
}

/** GET /up: the process is alive; pages set their clocks by the answer. GET /ready: this process should get requests; otherwise 503. Observers read more. */
export function healthRoutes(deps: Deps, draining: Draining) {
  const readiness = createReadinessCheck(deps);
  return new Elysia({ name: "health" })
    .get("/up", () => ({ up: true, serverTime: serverNow().toISOString() }))
    .get("/ready", async ({ request }) => {
      const [{ parts, unready, degraded, warnings, lastBackup }, observes] = await Promise.all([
        readiness(),
        // While the database is away, nobody is known who is signed in.
        isObserver(deps, request).catch(() => false),
      ]);
      const leaving = draining.ending === "leaving";
      const ready = !leaving && unready.length === 0;
      const reason = unready.length === 0 ? null : unready.map(({ what }) => what).join(", ");
      const status = { ready, leaving, reason, degraded: degraded.map(({ what }) => ({ what })) };
      return Response.json(
        observes
          ? { ...status, unready, degraded, parts, warnings, lastBackup, locks: lockCounts(deps.redis) }
          : status,
        {
          status: ready ? 200 : 503,
          headers: ready ? {} : { "retry-after": String(RETRY_AFTER_S) },
        },
      );
    });
}

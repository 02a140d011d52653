import { and, desc, eq, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { queryRows, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { type Side, sides } from "#db/lists/spots.ts";
import { events } from "#db/schema/events.ts";
import { createBatcher } from "#src/base/batcher.ts";
import { boundedMaps } from "#src/base/bounded-map.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { type ArrivalsStep, arrivalsStep, type LateMoney, lateMoney, type Pace } from "./schemas.ts";

/** How many of the newest actions with calls say what is usual. */
const USUAL_EVENTS_MAX = 10;
/** The line of calls a second is so long. */
const MINUTE_S = 60;
/** More bars are too thin to read. */
const STEPS_MAX = 30;
const STEP_SECONDS = [1, 2, 5, 10, 20, 30, 60];

/** Fewer earlier shares do not say what is usual. */
const USUAL_FROM = 3;
/** A share of the money in fewer calls is one player's choice: it is no alarm, and it does not say that all is well either. */
const CALLS_MIN = 8;
/** A lower share is no alarm, however unusual it is. */
const ALARM_SHARE_MIN = 0.3;
/** A share of this many times the usual one is an alarm. */
const ALARM_TIMES = 3;
/** This share is an alarm, also where much comes late as a rule. */
const ALARM_SHARE_MAX = 0.9;
const SHARE_DIGITS = 4;

/**
 * How the calls of an event arrive: by second, by time before the close, and what share of the money came in the last second.
 * @param eventId null: the open event, else the one that closed last.
 * @returns null without an event that has opened.
 */
export async function showPace(
  { pool }: Pick<Deps, "pool">,
  { sessionId, eventId }: { sessionId: number; eventId: number | null },
): Promise<Pace | null> {
  const event = await findEvent(pool.db, sessionId, eventId);
  if (event === null) {
    if (eventId !== null) throw notFound();
    return null;
  }
  if (event.openedAt === null || event.closesAt === null) return null;
  const closed = event.closedAt;
  const [arrivals, ...earlier] = await Promise.all([
    listArrivals(pool, event),
    ...(closed === null ? [] : (await listEarlier(pool.db, event)).map((each) => listArrivals(pool, each))),
  ]);
  const closesAt = closed ?? event.closesAt;
  const openSeconds = Math.max(1, Math.ceil((closesAt.getTime() - event.openedAt.getTime()) / 1_000));
  /** While it is open: how long it will stay so. */
  const leftSeconds = closed === null ? Math.max(0, Math.floor(event.leftMs / 1_000)) : 0;
  const stepSeconds = STEP_SECONDS.find((step) => openSeconds / step <= STEPS_MAX) ?? MINUTE_S;
  return {
    eventId: event.id,
    callsCount: arrivals.reduce((total, { calls }) => total + calls, 0),
    perSecond: perSecondOf(arrivals, { leftSeconds, openSeconds }),
    stepSeconds,
    arrivals: stepsOf(arrivals, { leftSeconds, openSeconds, stepSeconds }),
    late: closed === null ? null : judgeLateMoney(arrivals, earlier, openSeconds),
  };
}

type Span = { leftSeconds: number; openSeconds: number };

/** The newest second is complete: the one that still runs would look like a fall. */
function perSecondOf(arrivals: readonly Arrivals[], { leftSeconds, openSeconds }: Span): number[] {
  const newest = leftSeconds === 0 ? 0 : leftSeconds + 1;
  const oldest = Math.min(openSeconds, newest + MINUTE_S) - 1;
  if (oldest < newest) return [];
  const calls = new Map<number, number>();
  for (const { second, calls: count } of arrivals) calls.set(second, (calls.get(second) ?? 0) + count);
  return Array.from({ length: oldest - newest + 1 }, (_, index) => calls.get(oldest - index) ?? 0);
}

function stepsOf(
  arrivals: readonly Arrivals[],
  { leftSeconds, openSeconds, stepSeconds }: Span & { stepSeconds: number },
): ArrivalsStep[] {
  const first = Math.ceil(openSeconds / stepSeconds) - 1;
  const last = Math.floor(leftSeconds / stepSeconds);
  return Array.from({ length: Math.max(0, first - last + 1) }, (_, index) => {
    const step = first - index;
    const within = arrivals.filter(
      // What was called just as it opened belongs to the first step.
      ({ second }) => Math.min(first, Math.floor(second / stepSeconds)) === step,
    );
    return stepOf(within, (step + 1) * stepSeconds);
  });
}

function stepOf(within: readonly Arrivals[], fromSeconds: number): ArrivalsStep {
  const [trueCents = 0, falseCents = 0] = sides.map((side) =>
    within.filter((each) => each.side === side).reduce((total, { wagerCents }) => total + wagerCents, 0),
  );
  const calls = within.reduce((total, each) => total + each.calls, 0);
  return present(arrivalsStep, { fromSeconds, calls, trueCents, falseCents });
}

const columns = {
  id: events.id,
  sessionId: events.sessionId,
  version: events.version,
  openedAt: events.openedAt,
  closesAt: events.closesAt,
  closedAt: events.closedAt,
  // Calls that waited are placed for seconds after the close (db/sql/functions/judge-calls.sql).
  takesCalls: sql<boolean>`${events.state} = 'open' OR coalesce(${events.closedAt} > game_now() - interval '10 seconds', FALSE)`,
  leftMs: sql<number>`coalesce(extract(epoch FROM ${events.closesAt} - game_now()) * 1000, 0)::float8`,
};
type PaceEvent = Pick<
  typeof events.$inferSelect,
  "id" | "sessionId" | "version" | "openedAt" | "closesAt" | "closedAt"
> & { takesCalls: boolean; leftMs: number };

async function findEvent(
  db: Queryable,
  sessionId: number,
  eventId: number | null,
): Promise<PaceEvent | null> {
  const within = and(eq(events.sessionId, sessionId), ne(events.state, "soft_destroyed"));
  const [event] = await db
    .select(columns)
    .from(events)
    .where(eventId === null ? and(within, isNotNull(events.openedAt)) : and(within, eq(events.id, eventId)))
    .orderBy(desc(sql`${events.state} = 'open'`), desc(sql`coalesce(${events.closedAt}, ${events.openedAt})`))
    .limit(1);
  return event ?? null;
}

/** The events of the session that closed before this one, the newest first. */
function listEarlier(db: Queryable, { sessionId, closedAt }: PaceEvent): Promise<PaceEvent[]> {
  if (sessionId === null || closedAt === null) return Promise.resolve([]);
  return db
    .select(columns)
    .from(events)
    .where(
      and(
        eq(events.sessionId, sessionId),
        lt(events.closedAt, closedAt),
        inArray(events.state, ["closed", "resolved"]),
      ),
    )
    .orderBy(desc(events.closedAt))
    .limit(USUAL_EVENTS_MAX);
}

/**
 * Judges the money that came in the last second before the close: who knows the result then, because a broadcast is behind the
 * field, bets on it with all they have. Example: 45 % of a side's money came in the last second, where 6 % are usual. Each side is
 * judged, and both together. Late money in too few calls is reported as such.
 * @param earlier the arrivals of the session's own events that closed before it, one list for each.
 * @param openSeconds for how long the event was open. Where nothing is usual yet, its calls would come evenly.
 */
function judgeLateMoney(
  arrivals: readonly Arrivals[],
  earlier: readonly (readonly Arrivals[])[],
  openSeconds: number,
): NonNullable<Pace["late"]> {
  const shares = earlier
    .flatMap((each) => sides.map((side) => totalsOf(each, side)))
    .filter(({ callsCount }) => callsCount >= CALLS_MIN)
    .map(shareOf);
  const usualShare = shares.length < USUAL_FROM ? null : middleOf(shares);
  const usual = usualShare ?? 1 / Math.max(1, openSeconds);
  const alarmShare = Math.min(ALARM_SHARE_MAX, Math.max(ALARM_SHARE_MIN, usual * ALARM_TIMES));
  return {
    sides: sides.map((side) => ({ side, ...judge(totalsOf(arrivals, side), alarmShare) })),
    ...judge(totalsOf(arrivals), alarmShare),
    usualShare: usualShare === null ? null : rounded(usualShare),
    alarmShare: rounded(alarmShare),
  };
}

type Totals = { callsCount: number; totalCents: number; lateCents: number };

function judge(totals: Totals, alarmShare: number): LateMoney {
  const { callsCount, lateCents } = totals;
  const isEnough = callsCount >= CALLS_MIN;
  return present(lateMoney, {
    ...totals,
    share: rounded(shareOf(totals)),
    alarm: isEnough && shareOf(totals) >= alarmShare,
    tooFew: !isEnough && lateCents > 0,
  });
}

/** @param side left out: both together. */
function totalsOf(arrivals: readonly Arrivals[], side?: Side): Totals {
  const own = side === undefined ? arrivals : arrivals.filter((each) => each.side === side);
  const sum = (steps: readonly Arrivals[]) => steps.reduce((total, { wagerCents }) => total + wagerCents, 0);
  return {
    callsCount: own.reduce((total, { calls }) => total + calls, 0),
    totalCents: sum(own),
    lateCents: sum(own.filter(({ second }) => second === 0)),
  };
}

function shareOf({ totalCents, lateCents }: Totals): number {
  return totalCents === 0 ? 0 : lateCents / totalCents;
}

function middleOf(shares: readonly number[]): number {
  const sorted = shares.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function rounded(share: number): number {
  return Number(share.toFixed(SHARE_DIGITS));
}

const arrivalsRow = v.object({
  eventId: wholeNumber,
  side: v.picklist(sides),
  /** Whole seconds before the close: 0 is the last second. */
  second: wholeNumber,
  calls: wholeNumber,
  wagerCents: wholeNumber,
});
/** The calls of one side of an event within one second. */
type Arrivals = v.InferOutput<typeof arrivalsRow>;

/** An event whose arrivals are asked for. */
type ArrivedEvent = { id: number; version: number; takesCalls: boolean };

/** The arrivals of an event that takes calls change all the time. A read of them is repeated at the earliest after this. */
const REPEAT_AFTER_MS = 900;
/** A read of n milliseconds is repeated after 30 n at the earliest, so that it takes 3 % of a connection at most. */
const REPEAT_AFTER_READS = 30;
const REMEMBERED_MAX = 500;
const BATCH_MAX = 64;

type Remembered = { arrivals: Arrivals[]; version: number; untilMs: number };
const rememberedBy = boundedMaps<number, Remembered>(REMEMBERED_MAX);

/**
 * The arrivals of an event, remembered for all admins who watch it: as long as its version is the same, and while it takes
 * calls for a second at least. However many calls it has, reading them costs little.
 */
async function listArrivals(pool: DatabasePool, event: ArrivedEvent): Promise<Arrivals[]> {
  const remembered = rememberedBy(pool).get(event.id);
  const isValid = remembered?.version === event.version && performance.now() < remembered.untilMs;
  return isValid ? remembered.arrivals : readAgain(pool, event);
}

const readAgain = createBatcher(BATCH_MAX, readTogether, { collects: true });

async function readTogether(pool: DatabasePool, events: readonly ArrivedEvent[]): Promise<Arrivals[][]> {
  const startMs = performance.now();
  const ids = [...new Set(events.map(({ id }) => id))];
  const byEvent = Map.groupBy(await readArrivals(pool.db, ids), ({ eventId }) => eventId);
  const nowMs = performance.now();
  const repeatAfterMs = Math.max(REPEAT_AFTER_MS, (nowMs - startMs) * REPEAT_AFTER_READS);
  return events.map(({ id, version, takesCalls }) => {
    const arrivals = byEvent.get(id) ?? [];
    rememberedBy(pool).set(id, { arrivals, version, untilMs: takesCalls ? nowMs + repeatAfterMs : Infinity });
    return arrivals;
  });
}

/**
 * The calls of these events, without cancelled ones, by side and second before the close. It reads all calls of the events' current
 * rounds, through the index by event: its answer is remembered.
 */
function readArrivals(db: Queryable, eventIds: readonly number[]): Promise<Arrivals[]> {
  return queryRows(db, arrivalsRow)`
    SELECT e.id AS "eventId", s.side, count(*) AS calls, sum(c.wager_cents) AS "wagerCents",
      greatest(0, floor(extract(epoch FROM coalesce(e.closed_at, e.closes_at) - c.placed_at)))::int AS second
    FROM events e
      JOIN spots s ON s.event_id = e.id
      JOIN calls c ON c.event_id = e.id AND c.spot_id = s.id AND c.round = e.round AND c.state <> 'soft_destroyed'
    WHERE e.id = ANY (${writeIntegerArray(eventIds)}::bigint[])
    GROUP BY e.id, s.side, second`;
}

import { sql } from "drizzle-orm";
import * as v from "valibot";
import { queryRow } from "#db/ledger/query.ts";
import { BESIDE_ORDER_SECONDS } from "#db/lists/limits.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { dollarsOf } from "#src/http/money.ts";
import { hasPrivate } from "#src/play/access-denied.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import { type FrontDoor, frontEvent, type FrontEvent } from "./schemas.ts";

// Decision: one statement reads the whole front door, once for all who ask at the same moment. A stranger costs no lookup of a
// sign-in, of a wallet or of calls.

const LONG_QUESTIONS_MAX = 10;

type FrontDoorDeps = Pick<Deps, "pool" | "env">;

/** The live question and the next start, for everybody. It names no user, no private session, and nothing that is not published. */
export async function findFrontDoor(deps: FrontDoorDeps, now: Date): Promise<FrontDoor> {
  const { session, event, next, openForDays } = await readRow(deps, "everybody");
  const { guestGrantCents } = deps.env;
  return {
    live: session === null ? null : { ...session, event: event === null ? null : presentFrontEvent(event) },
    next,
    openForDays,
    guestGrant: dollarsOf(guestGrantCents),
    guestGrantCents,
    serverTime: now.toISOString(),
  };
}

/** A time as Postgres writes it into JSON. */
const knownTime = v.pipe(
  v.string(),
  v.transform((text) => new Date(text).toISOString()),
);
const time = v.nullable(knownTime);
const named = { slug: v.string(), name: v.string() };
const eventRow = v.object({
  ...v.omit(frontEvent, ["pool"]).entries,
  publishedAt: time,
  opensAt: time,
  closesAt: time,
  trueCents: v.number(),
  falseCents: v.number(),
});
const row = v.object({
  session: v.nullable(v.object({ ...named, paused: v.boolean(), givenNames: v.boolean() })),
  event: v.nullable(eventRow),
  next: v.nullable(v.object({ id: v.number(), ...named, startsAt: time })),
  openForDays: v.array(v.object({ id: v.number(), title: v.string(), closesAt: knownTime, ...named })),
});

function presentFrontEvent({ trueCents, falseCents, ...event }: v.InferOutput<typeof eventRow>): FrontEvent {
  return { ...event, pool: poolOf(trueCents, falseCents) };
}

const readRow = batchReads(
  (asker: string) => asker,
  async ({ pool }: FrontDoorDeps) => {
    const found = await queryRow(pool.db, row)`${frontDoor}`;
    return () => found;
  },
);

/** The question that can be called comes first, then the one that opens next, then the one that closed last. */
const frontDoor = sql`
  WITH live AS MATERIALIZED (
    SELECT id, slug, name, state, active AND settings @> '{"givenNames": true}' AS given_names FROM sessions WHERE state IN ('running', 'paused') AND NOT ${hasPrivate(sql`settings`)}
    ORDER BY active DESC, started_at DESC, id DESC LIMIT 1
  )
  SELECT
    (SELECT json_build_object('slug', slug, 'name', name, 'paused', state = 'paused', 'givenNames', given_names) FROM live) AS session,
    (SELECT json_build_object('id', e.id, 'title', e.title, 'trueLabel', e.true_label, 'falseLabel', e.false_label,
        'state', e.state, 'publishedAt', e.published_at, 'opensAt', e.opens_at, 'closesAt', e.closes_at,
        'durationSeconds', e.duration_seconds, 'trueCents', p.true_cents, 'falseCents', p.false_cents,
        'callsCount', p.calls_count)
      FROM live CROSS JOIN LATERAL (
        SELECT * FROM events
        WHERE session_id = live.id AND state IN ('open', 'visible', 'closed')
        ORDER BY duration_seconds > ${BESIDE_ORDER_SECONDS}, array_position(ARRAY['open', 'visible', 'closed'], state),
          CASE state WHEN 'open' THEN closes_at WHEN 'visible' THEN opens_at END NULLS LAST,
          closed_at DESC, position, id
        LIMIT 1
      ) e CROSS JOIN LATERAL (
        SELECT coalesce(sum(pool_cents) FILTER (WHERE side = 'true'), 0) AS true_cents,
          coalesce(sum(pool_cents) FILTER (WHERE side = 'false'), 0) AS false_cents,
          coalesce(sum(calls_count), 0) AS calls_count
        FROM spots WHERE event_id = e.id
      ) p) AS event,
    (SELECT json_build_object('id', id, 'slug', slug, 'name', name, 'startsAt', starts_at) FROM sessions
      WHERE state = 'pending' AND (active OR starts_at > game_now()) AND NOT ${hasPrivate(sql`settings`)}
      ORDER BY active DESC, starts_at, id LIMIT 1) AS next,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'title', title, 'closesAt', closes_at, 'slug', slug, 'name', name)), '[]')
      FROM (
        SELECT e.id, e.title, e.closes_at, s.slug, s.name FROM events e JOIN sessions s ON s.id = e.session_id
        WHERE e.state = 'open' AND e.duration_seconds > ${BESIDE_ORDER_SECONDS} AND s.state IN ('running', 'paused')
          AND NOT ${hasPrivate(sql`s.settings`)}
        ORDER BY e.closes_at, e.id LIMIT ${LONG_QUESTIONS_MAX}
      ) long) AS "openForDays"`;

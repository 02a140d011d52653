import { beforeEach, expect, test } from "bun:test";
import { audit } from "#db/schema/audit.ts";
import { outbox } from "#db/schema/outbox.ts";
import { GRACE_MAX_MS } from "#src/show/events/contract.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { buildAdmin, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildContest, clockAt, DELAY_S, deliverAlarm, inSeconds } from "./delayed-settlement.ts";

const deps = await testDeps();
const host = await buildAdmin(deps);
const other = await buildAdmin(deps);
/** What a page asks for on a good connection. */
const GRACE_MS = 500;
const GRACE_S = GRACE_MS / 1_000;

beforeEach(() => clockAt(deps, 0));

/** The event, and how much was written about all; without the token of its last lock. */
async function recorded(eventId: number) {
  const { fence: _, ...event } = await readEvent(deps, eventId);
  const { db } = deps.pool;
  return { event, lines: await db.$count(audit), facts: await db.$count(outbox) };
}

type Asked = { actor?: typeof host; result?: "true" | "false"; graceMs?: number };
const resolve = (eventId: number, { actor = host, result = "true", graceMs = GRACE_MS }: Asked = {}) =>
  resolveEvent(deps, { eventId, actor, result, graceMs });

test("a result waits for the time that its answer takes, too, and is paid then and not before", async () => {
  const { eventId, balance } = await buildContest(deps);
  expect(await resolve(eventId)).toMatchObject({ dueAt: inSeconds(DELAY_S + GRACE_S) });
  await clockAt(deps, DELAY_S + GRACE_S / 2);
  expect(await deliverAlarm(deps, eventId)).toBeGreaterThan(0);
  expect(await readEvent(deps, eventId)).toMatchObject({ state: "closed", pendingResult: "true" });
  await clockAt(deps, DELAY_S + GRACE_S);
  await deliverAlarm(deps, eventId);
  expect(await readEvent(deps, eventId)).toMatchObject({ state: "resolved" });
  expect(await balance()).toBe(10_100);
});

test("for who decided it the delay begins again once the answer is there, and the result can be taken back until its end", async () => {
  const { eventId, balance } = await buildContest(deps);
  const { version } = await resolve(eventId);
  await clockAt(deps, 3);
  const later = await resolve(eventId);
  expect(later).toMatchObject({
    state: "closed",
    pendingResult: "true",
    decidedAt: inSeconds(0),
    dueAt: inSeconds(3 + DELAY_S + GRACE_S),
    version: version + 1,
  });
  await clockAt(deps, 3 + DELAY_S);
  await deliverAlarm(deps, eventId);
  expect(await withdrawResult(deps, { eventId, actor: host })).toMatchObject({
    pendingResult: null,
    dueAt: null,
  });
  expect(await balance()).toBe(10_000);
});

test("it begins again as often as it is asked for, and ends in time all the same", async () => {
  const { eventId } = await buildContest(deps);
  await resolve(eventId, { graceMs: GRACE_MAX_MS });
  const latest = inSeconds(DELAY_S + (2 * GRACE_MAX_MS) / 1_000);
  for (const seconds of [4, 8, 12, 14.5]) {
    await clockAt(deps, seconds);
    expect((await resolve(eventId, { graceMs: GRACE_MAX_MS })).dueAt?.getTime()).toBeLessThanOrEqual(
      latest.getTime(),
    );
  }
  expect((await readEvent(deps, eventId)).dueAt).toEqual(latest);
});

test.each<[string, Asked]>([
  ["by another host", { actor: other }],
  ["without a grace, as programs send it", { graceMs: 0 }],
])("the same result again %s changes nothing", async (_, again) => {
  const { eventId } = await buildContest(deps);
  await resolve(eventId);
  await clockAt(deps, 3);
  const before = await recorded(eventId);
  await resolve(eventId, again);
  expect(await recorded(eventId)).toEqual(before);
});

test("in a pause, in which nothing is paid, and once it is paid the same result again changes nothing", async () => {
  const { eventId, session } = await buildContest(deps);
  await resolve(eventId);
  const noted = await buildContest(deps);
  await pauseSession(deps, { sessionId: noted.session.id, actor: host });
  expect(await resolve(noted.eventId)).toMatchObject({ dueAt: null, remainingMs: DELAY_S * 1_000 });
  await pauseSession(deps, { sessionId: session.id, actor: host });
  const paused = await recorded(eventId);
  await resolve(eventId);
  expect(await recorded(eventId)).toEqual(paused);
  const paid = await buildContest(deps);
  await resolve(paid.eventId);
  await clockAt(deps, DELAY_S + GRACE_S);
  await deliverAlarm(deps, paid.eventId);
  const before = await recorded(paid.eventId);
  await resolve(paid.eventId);
  expect(await recorded(paid.eventId)).toEqual(before);
});

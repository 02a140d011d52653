import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { createTimeline } from "#src/replays/contract.ts";
import { showReplay } from "#src/replays/show-replay.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { asViewer } from "./as-viewer.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);
const ana = await buildPlayer(deps);
const ben = await buildPlayer(deps);

/** As if the session had been played before there was a log. */
async function forgetLog(sessionId: number): Promise<void> {
  await deps.pool.db.execute(sql`ALTER TABLE session_log DISABLE TRIGGER session_log_append_only`);
  await deps.pool.db.execute(sql`DELETE FROM session_log WHERE session_id = ${sessionId}`);
  await deps.pool.db.execute(sql`ALTER TABLE session_log ENABLE TRIGGER session_log_append_only`);
}

async function playEvent(sessionId: number, result: "true" | "false") {
  const event = await buildEvent(deps, "open", { sessionId });
  await buildCall(deps, { userId: ana.id, eventId: event.id, side: "true", wagerCents: 300 });
  await buildCall(deps, { userId: ben.id, eventId: event.id, side: "false", wagerCents: 200 });
  return resolveAndPay(deps, { eventId: event.id, actor: null, result });
}

async function readReplay(slugOrId: string) {
  const replay = await showReplay(deps, { slugOrId, viewer: asViewer(admin), query: {} });
  return { replay, ...createTimeline(replay.steps) };
}

test("a session that was played before there was a log shows what follows from its rows, and says so", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const first = await playEvent(sessionId, "true");
  await pauseSession(deps, { sessionId, actor: admin });
  await resumeSession(deps, { sessionId, actor: admin });
  await playEvent(sessionId, "false");
  await stopSession(deps, { sessionId, actor: null });
  const logged = await readReplay(slug);
  await forgetLog(sessionId);
  const derived = await readReplay(slug);

  expect(logged.replay.derivedUntil).toBeNull();
  expect(derived.replay.derivedUntil).toBe(derived.replay.until);
  const endMs = Date.parse(derived.replay.until);
  const { events, leaders, session } = derived.stateAt(endMs);
  const known = logged.stateAt(endMs);
  expect({ leaders, session }).toEqual({ leaders: known.leaders, session: known.session });
  const played = events.filter(({ openedAt }) => openedAt !== null);
  expect(played).toEqual(known.events.filter(({ openedAt }) => openedAt !== null));
  expect(played).toMatchObject([{ result: "true", pool: { trueCents: 300 } }, { result: "false" }]);
  // While it was open: no result yet, and the pool of its calls.
  const openedMs = Date.parse(first.openedAt?.toISOString() ?? "");
  expect(derived.stateAt(openedMs).events.find(({ id }) => id === first.id)).toMatchObject({
    state: "open",
    result: null,
  });
  const states = derived.replay.steps.flatMap((step) => step.session?.state ?? []);
  expect(states).toEqual(["pending", "running", "paused", "running", "stopped"]);
});

test("where the log begins in the middle of a session, it continues what was derived", async () => {
  const { id: sessionId, slug } = await buildRunningSession(deps);
  const event = await playEvent(sessionId, "true");
  await forgetLog(sessionId);
  await resetEvent(deps, { eventId: event.id, actor: admin, reason: "Asked wrongly" });
  const { replay, stateAt } = await readReplay(slug);
  expect(Date.parse(replay.derivedUntil ?? "")).toBeGreaterThan(
    Date.parse(event.resolvedAt?.toISOString() ?? ""),
  );
  const eventAt = (atMs: number) => stateAt(atMs).events.find(({ id }) => id === event.id);
  expect(eventAt(Date.parse(replay.until))).toMatchObject({
    state: "draft",
    round: 2,
    pool: { trueCents: 0 },
  });
  expect(stateAt(Date.parse(replay.until)).leaders.totalCount).toBe(0);
});

import { describe, expect, test } from "bun:test";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { deactivateSession } from "#src/show/sessions/deactivate-session.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { resumeSession } from "#src/show/sessions/resume-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { buildToken, createProgram } from "#tests/people/access-tokens/build-token.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildRunningSession,
  readEvent,
  readSession,
} from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const server = createServer(deps);
const host = await buildAdmin(deps);
const other = await buildAdmin(deps);

/** A running session with two open events; the host has a call on the second one. */
async function buildStake(settings: { smallRoom?: boolean } = {}) {
  const { id: sessionId } = await buildRunningSession(deps, { settings });
  await buildEvent(deps, "open", { sessionId });
  const { id: eventId } = await buildEvent(deps, "open", { sessionId });
  const callId = await buildCall(deps, { userId: host.id, eventId });
  return { sessionId, eventId, callId };
}

/** What ends calling in a whole session. */
const acts = { pause: pauseSession, stop: stopSession } as const;
const each = Object.entries(acts);

describe("a host with a call on an open event", () => {
  test.each(each)("cannot %s the session, and nothing changes; another host can", async (name, act) => {
    const { sessionId } = await buildStake();
    const before = await digestTables(deps.pool.db);
    const refusal = await refusalOf(act(deps, { sessionId, actor: host }));
    expect(refusal).toMatchObject({ status: 403, code: "forbidden" });
    expect(refusal.details.detail).toBe(
      `You have a call on an open event. Somebody else must ${name} the session, or it must close first.`,
    );
    expect(await digestTables(deps.pool.db)).toBe(before);
    await act(deps, { sessionId, actor: other });
  });

  test("cannot stop a paused session either, and nothing changes; to resume it ends nothing", async () => {
    const { sessionId, eventId } = await buildStake();
    await pauseSession(deps, { sessionId, actor: other });
    const before = await digestTables(deps.pool.db);
    expect(await refusalOf(stopSession(deps, { sessionId, actor: host }))).toMatchObject({ status: 403 });
    expect(await digestTables(deps.pool.db)).toBe(before);
    expect(await resumeSession(deps, { sessionId, actor: host })).toMatchObject({ state: "running" });
    expect(await readEvent(deps, eventId)).toMatchObject({ state: "open" });
  });

  test("can deactivate the session: calling goes on", async () => {
    const { sessionId, eventId } = await buildStake();
    await deps.pool.sql`UPDATE sessions SET active = (id = ${sessionId})`;
    await deactivateSession(deps, { sessionId, actor: host });
    expect(await readEvent(deps, eventId)).toMatchObject({ state: "open" });
  });

  test.each(each)("cannot %s it by a page's request or a program's, and nothing changes", async (name) => {
    const { sessionId } = await buildStake();
    const { secret } = await buildToken(deps, { userId: host.id, scope: "run" });
    const path = `/api/v1/sessions/${sessionId}/${name}`;
    const browser = await signedInClient(deps, server, host);
    const before = await digestTables(deps.pool.db);
    for (const client of [browser, createProgram(server, secret)]) {
      expect(await client.send("PUT", path)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    expect(await digestTables(deps.pool.db)).toBe(before);
    expect(await readSession(deps, sessionId)).toMatchObject({ state: "running" });
  });

  test.each(each)("cannot %s the session with a call that is being placed", async (_, act) => {
    const { id: sessionId } = await buildRunningSession(deps);
    const { id: eventId } = await buildEvent(deps, "open", { sessionId });
    const [placed, done] = await Promise.allSettled([
      buildCall(deps, { userId: host.id, eventId }),
      act(deps, { sessionId, actor: host }),
    ]);
    // Whichever comes first, the other one is refused.
    expect([placed.status, done.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a host without a call on an open event", () => {
  test.each(each)("can %s the session after taking the call back", async (_, act) => {
    const { sessionId, callId } = await buildStake();
    await cancelCall(deps.pool.db, { userId: host.id, callId });
    await act(deps, { sessionId, actor: host });
  });

  test.each(each)("can %s the session after the event has closed", async (_, act) => {
    const { sessionId, eventId } = await buildStake();
    await closeEvent(deps, { eventId, actor: null });
    await act(deps, { sessionId, actor: host });
  });

  test.each(each)("can %s the session after the round was refunded by a reset", async (_, act) => {
    const { sessionId, eventId } = await buildStake();
    await resetEvent(deps, { eventId, actor: other, reason: "Again" });
    await act(deps, { sessionId, actor: host });
  });

  test.each(each)("can %s a small room, also with a call", async (_, act) => {
    const { sessionId } = await buildStake({ smallRoom: true });
    await act(deps, { sessionId, actor: host });
  });

  test.each(each)("can %s another session", async (_, act) => {
    await buildStake();
    const { id: sessionId } = await buildRunningSession(deps);
    await buildEvent(deps, "open", { sessionId });
    await act(deps, { sessionId, actor: host });
  });
});

test("without an actor a session with calls of hosts is stopped", async () => {
  const { sessionId } = await buildStake();
  expect(await stopSession(deps, { sessionId, actor: null })).toMatchObject({ state: "stopped" });
});

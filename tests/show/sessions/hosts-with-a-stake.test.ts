import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, read } = await testWorld();

/** A running session with an open event without calls, and two with calls of the host: of a dollar, and of two on both sides. */
async function buildStake(settings: { smallRoom?: boolean } = {}) {
  const host = await build.admin();
  const { id: sessionId } = await build.runningSession({ settings });
  await build.event("open", { sessionId });
  const [one, two] = [await build.event("open", { sessionId }), await build.event("open", { sessionId })];
  const userId = host.id;
  const own = [
    await build.call({ userId, eventId: one.id }),
    await build.call({ userId, eventId: two.id, side: "true" }),
    await build.call({ userId, eventId: two.id, side: "false" }),
  ];
  return { host, sessionId, eventId: one.id, own };
}

/** What ends calling in a whole session. */
const acts = [
  ["pause", pauseSession, "paused"],
  ["stop", stopSession, "stopped"],
] as const;

const ownCalls = (host: BuiltUser) =>
  db
    .select({ state: calls.state, refundedBy: calls.refundedBy })
    .from(calls)
    .where(eq(calls.userId, host.id))
    .orderBy(calls.id);
const heldCents = async (host: BuiltUser) => (await findWalletView(db, host.id)).heldCents;

/** The newest audit line about the session itself. */
const readAct = async (subjectId: number) => (await read.audit({ subjectType: "session", subjectId })).at(-1);

const takenBack = { state: "soft_destroyed" as const, refundedBy: null };

test.each(acts)(
  "a host who does %s gets own calls back as a player would, and the audit says so",
  async (name, act, state) => {
    const { host, sessionId, own } = await buildStake();
    const player = await build.player();
    const { id: eventId } = await build.event("open", { sessionId });
    await build.call({ userId: player.id, eventId });
    const before = await findWalletView(db, host.id);
    expect(before.heldCents).toBe(300);
    expect(await act(deps, { sessionId, actor: host })).toMatchObject({ state });
    expect(await ownCalls(host)).toEqual(own.map(() => takenBack));
    expect(await findWalletView(db, host.id)).toMatchObject({
      balanceCents: before.balanceCents,
      heldCents: 0,
    });
    expect(await readAct(sessionId)).toMatchObject({
      action: name,
      actorId: host.id,
      after: { state, takenBackCents: 300 },
    });
    // The calls of all others stand.
    expect((await findWalletView(db, player.id)).heldCents).toBe(100);
    expect(await db.$count(notifications, eq(notifications.userId, host.id))).toBe(0);
  },
);

test("a host leaves those that no player could take back: of a closed event, and in the last seconds of an open one", async () => {
  for (const act of [pauseSession, stopSession]) {
    const { host, sessionId, eventId } = await buildStake();
    await timer.close(eventId);
    const { id: closing } = await build.event("open", { sessionId });
    await build.call({ userId: host.id, eventId: closing, wagerCents: 50 });
    await deps.pool
      .sql`UPDATE events SET closes_at = game_now() + interval '4 seconds' WHERE id = ${closing}`;
    await act(deps, { sessionId, actor: host });
    expect((await ownCalls(host)).map(({ state }) => state)).toEqual([
      "closed",
      "soft_destroyed",
      "soft_destroyed",
      act === stopSession ? "closed" : "placed",
    ]);
    expect(await heldCents(host)).toBe(150);
    expect((await readAct(sessionId))?.after).toMatchObject({ takenBackCents: 200 });
  }
});

test.each(acts)("a host has no call after %s with a call that is being placed", async (_, act) => {
  const host = await build.admin();
  const { id: sessionId } = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId });
  const [, done] = await Promise.allSettled([
    build.call({ userId: host.id, eventId }),
    act(deps, { sessionId, actor: host }),
  ]);
  // Whichever comes first: the call is refused, or taken back.
  expect(done.status).toBe("fulfilled");
  expect(await heldCents(host)).toBe(0);
});

test.each(acts)(
  "a call stands or is taken back where its event closes at the moment of %s",
  async (_, act, state) => {
    const { host, sessionId, eventId } = await buildStake();
    const [, done] = await Promise.allSettled([timer.close(eventId), act(deps, { sessionId, actor: host })]);
    expect(done.status).toBe("fulfilled");
    expect(await read.session(sessionId)).toMatchObject({ state });
    const [call] = await ownCalls(host);
    // The close came first, and the call stands; or it came second, and found none.
    expect(["closed", "soft_destroyed"]).toContain(String(call?.state));
    expect(await heldCents(host)).toBe(call?.state === "closed" ? 100 : 0);
  },
);

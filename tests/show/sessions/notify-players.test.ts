import { expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { notifications } from "#db/schema/notifications.ts";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import {
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps();

const notificationsOf = (userId: number) =>
  deps.pool.db
    .select({
      kind: notifications.kind,
      title: notifications.title,
      body: notifications.body,
      url: notifications.url,
    })
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(desc(notifications.id));

async function buildRobot() {
  const robot = await buildPlayer(deps);
  await deps.pool.db.update(users).set({ robot: true }).where(eq(users.id, robot.id));
  return robot;
}

test("registered players are notified when the session starts; robots and others are not", async () => {
  const session = await buildSession(deps, { name: "Friday Derby" });
  await buildDraft(deps, { sessionId: session.id });
  const [joined, other, robot] = [await buildPlayer(deps), await buildPlayer(deps), await buildRobot()];
  await deps.pool.db.insert(registrations).values(
    [joined, robot].map(({ id: userId, username }) => ({
      sessionId: session.id,
      userId,
      displayName: username,
    })),
  );
  await startSession(deps, { sessionId: session.id, actor: null });
  expect(await notificationsOf(joined.id)).toEqual([
    {
      kind: "session_live",
      title: "Friday Derby is live",
      body: "The first action opens in a moment.",
      url: `/sessions/${session.slug}`,
    },
  ]);
  expect(await notificationsOf(other.id)).toEqual([]);
  expect(await notificationsOf(robot.id)).toEqual([]);
});

test("players of a session are notified of their score when it stops", async () => {
  const session = await buildRunningSession(deps, { name: "Cup Final" });
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const [winner, loser, robot] = [await buildPlayer(deps), await buildPlayer(deps), await buildRobot()];
  await buildCall(deps, { userId: winner.id, eventId: event.id, side: "true", wagerCents: 300 });
  await buildCall(deps, { userId: loser.id, eventId: event.id, side: "false", wagerCents: 500 });
  await buildCall(deps, { userId: robot.id, eventId: event.id, side: "true", wagerCents: 300 });
  await closeEvent(deps, { eventId: event.id, actor: null });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  await stopSession(deps, { sessionId: session.id, actor: null });

  const over = { kind: "result", title: "Cup Final is over", url: `/sessions/${session.slug}/history` };
  expect(await notificationsOf(winner.id)).toMatchObject([
    { ...over, body: "You won 1 and lost 0: +$2.50." },
  ]);
  expect(await notificationsOf(loser.id)).toMatchObject([{ ...over, body: "You won 0 and lost 1: -$5.00." }]);
  expect(await notificationsOf(robot.id)).toEqual([]);
});

test("the notification says that results are still missing", async () => {
  const session = await buildRunningSession(deps);
  const player = await buildPlayer(deps);
  for (const result of ["true", null] as const) {
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    await buildCall(deps, { userId: player.id, eventId: event.id, side: "true", wagerCents: 100 });
    await closeEvent(deps, { eventId: event.id, actor: null });
    if (result !== null) await resolveAndPay(deps, { eventId: event.id, actor: null, result });
  }
  await stopSession(deps, { sessionId: session.id, actor: null });
  expect((await notificationsOf(player.id))[0]?.body).toBe(
    "Nothing won and nothing lost so far. Your wagers came back.",
  );
});

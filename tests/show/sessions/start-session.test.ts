import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, timer, build, read, client } = await testWorld();
const asAdmin = await client(await build.admin());

/** A pending session: the first event opens with the start, the second by its offset; both are shown 10 s before. */
async function buildShow() {
  const session = await build.session();
  await build.draft({ sessionId: session.id, position: 1 });
  await build.draft({ sessionId: session.id, position: 2, startMode: "offset", offsetSeconds: 60 });
  const start = (body?: unknown) => asAdmin.send("PUT", `/api/v1/sessions/${session.slug}/start`, body);
  return { session, start };
}

async function plannedIn(sessionId: number) {
  const { startedAt } = await read.session(sessionId);
  const rows = await read.events(sessionId);
  const after = (moment: Date | null) => ((moment?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000;
  return rows.map(({ opensAt, dueAt }) => ({ opens: after(opensAt), shown: after(dueAt) }));
}

test("the first event opens so many seconds after the start, and is shown at once; the whole plan is that much later", async () => {
  const { session, start } = await buildShow();
  const { status, body } = await start({ session: { in_seconds: 10 } });
  expect(status).toBe(200);
  expect(v.parse(sessionAnswer, body).session).toMatchObject({ state: "running", startLeadSeconds: 10 });
  expect(await plannedIn(session.id)).toEqual([
    { opens: 10, shown: 0 },
    { opens: 70, shown: 60 },
  ]);
});

test.each([undefined, {}, { session: {} }, { session: { in_seconds: 0 } }])(
  "%j starts the plan at once",
  async (body) => {
    const { session, start } = await buildShow();
    expect((await start(body)).status).toBe(200);
    expect((await plannedIn(session.id)).map(({ opens }) => opens)).toEqual([0, 60]);
  },
);

async function buildRobot() {
  const robot = await build.player();
  await db.update(users).set({ robot: true }).where(eq(users.id, robot.id));
  return robot;
}

test("registered players are notified when the session starts; robots and others are not", async () => {
  const session = await build.session({ name: "Friday Derby" });
  await build.draft({ sessionId: session.id });
  const [joined, other, robot] = [await build.player(), await build.player(), await buildRobot()];
  await db.insert(registrations).values(
    [joined, robot].map(({ id: userId, username }) => ({
      sessionId: session.id,
      userId,
      displayName: username,
    })),
  );
  await timer.start(session.id);
  expect(await read.told(joined.id)).toMatchObject([
    {
      kind: "session_live",
      title: "Friday Derby is live",
      body: "The first action opens in a moment.",
      url: `/sessions/${session.slug}`,
    },
  ]);
  expect(await read.told(other.id)).toEqual([]);
  expect(await read.told(robot.id)).toEqual([]);
});

test("players of a session are notified of their score when it stops", async () => {
  const { session, event } = await build.openShow({}, { name: "Cup Final" });
  const [winner, loser, robot] = [await build.player(), await build.player(), await buildRobot()];
  await build.call({ userId: winner.id, eventId: event.id, side: "true", wagerCents: 300 });
  await build.call({ userId: loser.id, eventId: event.id, side: "false", wagerCents: 500 });
  await build.call({ userId: robot.id, eventId: event.id, side: "true", wagerCents: 300 });
  await timer.close(event.id);
  await timer.settle(event.id);
  await timer.stop(session.id);

  const over = { kind: "result", title: "Cup Final is over", url: `/sessions/${session.slug}/history` };
  expect(await read.told(winner.id)).toMatchObject([{ ...over, body: "You won 1 and lost 0: +$2.50." }]);
  expect(await read.told(loser.id)).toMatchObject([{ ...over, body: "You won 0 and lost 1: -$5.00." }]);
  expect(await read.told(robot.id)).toEqual([]);
});

test("the notification says that results are still missing", async () => {
  const session = await build.runningSession();
  const player = await build.player();
  for (const result of ["true", null] as const) {
    const event = await build.event("open", { sessionId: session.id });
    await build.call({ userId: player.id, eventId: event.id, side: "true", wagerCents: 100 });
    await timer.close(event.id);
    if (result !== null) await timer.settle(event.id, result);
  }
  await timer.stop(session.id);
  expect((await read.told(player.id)).at(-1)?.body).toBe(
    "Nothing won and nothing lost so far. Your wagers came back.",
  );
});

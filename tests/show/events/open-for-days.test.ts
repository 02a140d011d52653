import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { frontDoorAnswer } from "#src/show/front-door/schemas.ts";
import { remindUncalled } from "#src/show/reminders/send-due-reminders.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, timer, build, read, client, unchanged, signedIn, stopClockAt } = await testWorld();
const [admin, host] = await signedIn.admin();

const NOW = new Date("2027-01-08T20:00:00Z");
const daysLater = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
let session: SessionRow;

beforeEach(async () => {
  await stopClockAt(NOW);
  session = await build.runningSession();
});

const add = (event: Record<string, unknown>) =>
  host.send("POST", "/api/v1/events", { event: { session_id: session.id, title: "Who wins?", ...event } });
async function added(event: Record<string, unknown>) {
  const answer = await add(event);
  expect(answer.status).toBe(201);
  return v.parse(v.object({ event: v.looseObject({ id: v.number() }) }), answer.body).event;
}

test("a question is asked at once and closes by a date", async () => {
  const { id } = await added({ ask: true, closes_at: daysLater(12).toISOString() });
  expect(await read.event(id)).toMatchObject({
    state: "open",
    closesAt: daysLater(12),
    dueAt: daysLater(12),
    nextTransition: "close_event",
  });
});

test("a question that is asked between two seconds closes in the minute of its date, not in the one before", async () => {
  await stopClockAt(new Date(NOW.getTime() + 300));
  const { id } = await added({ ask: true, closes_at: daysLater(30).toISOString() });
  expect(await read.event(id)).toMatchObject({ closesAt: new Date(daysLater(30).getTime() + 300) });
});

test("a question opens and closes by its dates", async () => {
  const { id } = await added({
    opens_at: daysLater(1).toISOString(),
    closes_at: daysLater(30).toISOString(),
  });
  expect(await read.event(id)).toMatchObject({
    state: "draft",
    opensAt: daysLater(1),
    closesAt: daysLater(30),
    nextTransition: "publish_event",
  });
  await timer.publish(id);
  await stopClockAt(daysLater(1));
  await timer.open(id);
  expect(await read.event(id)).toMatchObject({ state: "open", closesAt: daysLater(30) });
});

test("the date of the close is changed while it is open", async () => {
  const { id } = await added({ ask: true, closes_at: daysLater(2).toISOString() });
  const closesAt = daysLater(5);
  const answer = await host.send("PATCH", `/api/v1/events/${id}`, {
    event: { closes_at: closesAt.toISOString() },
  });
  expect(answer.status).toBe(200);
  expect(await read.event(id)).toMatchObject({ closesAt, dueAt: closesAt });
});

test.each([
  ["a close without an opening", { closes_at: daysLater(2).toISOString() }],
  ["more than 30 days", { ask: true, closes_at: daysLater(31).toISOString() }],
  ["a close before the opening", { opens_at: daysLater(2).toISOString(), closes_at: NOW.toISOString() }],
  [
    "an opening in the past",
    { opens_at: daysLater(-1).toISOString(), closes_at: daysLater(1).toISOString() },
  ],
  ["an opening of what is asked at once", { ask: true, opens_at: daysLater(1).toISOString() }],
  ["a text that is no date", { ask: true, closes_at: "soon" }],
])("%s is refused, and nothing changes", async (_what, event) => {
  expect((await unchanged(() => add(event))).status).toBe(422);
});

test("a pause of weeks takes nothing from a question that is open for 30 days", async () => {
  const { id } = await added({ ask: true, closes_at: daysLater(30).toISOString() });
  await timer.pause(session.id);
  expect(await read.event(id)).toMatchObject({ dueAt: null });
  await stopClockAt(daysLater(10));
  await timer.resume(session.id);
  expect(await read.event(id)).toMatchObject({ closesAt: daysLater(40), dueAt: daysLater(40) });
});

test("no question of the running order waits for one that is open for days", async () => {
  const first = await added({ start_mode: "by_hand", title: "First?" });
  await added({ ask: true, closes_at: daysLater(3).toISOString() });
  const next = await added({ start_mode: "after_result", offset_seconds: 10, title: "Next?" });
  expect(await read.event(next.id)).toMatchObject({ opensAt: null });
  await by(admin).publish(first.id);
  await by(admin).open(first.id);
  await by(admin).close(first.id);
  await by(admin).settle(first.id);
  expect(await read.event(next.id)).toMatchObject({ opensAt: new Date(NOW.getTime() + 10_000) });
});

test("everybody reads at the front door what is open for days, but nothing of a private session", async () => {
  const long = await added({ ask: true, closes_at: daysLater(3).toISOString() });
  await added({ ask: true, duration_seconds: 60, title: "Short?" });
  session = await build.runningSession({ settings: { private: true } });
  await added({ ask: true, closes_at: daysLater(2).toISOString(), title: "Secret?" });
  const { body } = await (await client()).get("/api/v1/front_door");
  const { openForDays } = v.parse(frontDoorAnswer, body).frontDoor;
  expect(openForDays.map(({ id }) => id)).toContain(long.id);
  expect(openForDays.map(({ title }) => title)).not.toContain("Secret?");
  expect(openForDays.map(({ title }) => title)).not.toContain("Short?");
});

test("who has not called is reminded once, a day before the close", async () => {
  const [caller, idle, stranger] = [await build.player(), await build.player(), await build.player()];
  for (const { id: userId, username } of [caller, idle])
    await db.insert(registrations).values({ sessionId: session.id, userId, displayName: username });
  const { id } = await added({ ask: true, closes_at: daysLater(4).toISOString() });
  await added({ ask: true, closes_at: daysLater(1.5).toISOString(), title: "Too short?" });
  await build.call({ userId: caller.id, eventId: id, side: "true", wagerCents: 100 });
  const notes = async (userId: number) => (await read.told(userId)).map(({ url }) => url);

  await stopClockAt(daysLater(2.9));
  await remindUncalled(deps);
  expect(await notes(idle.id)).toEqual([]);
  await stopClockAt(daysLater(3));
  await Promise.all([remindUncalled(deps), remindUncalled(deps)]);
  expect(await notes(idle.id)).toEqual([`/sessions/${session.slug}?question=${id}`]);
  expect([await notes(caller.id), await notes(stranger.id)]).toEqual([[], []]);
  await stopClockAt(daysLater(3.5));
  await unchanged(() => remindUncalled(deps));
});

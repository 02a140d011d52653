import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { pushMessages, pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { sessions } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { writePushes } from "#src/people/push/deliver-push.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { sendDueReminders } from "#src/show/reminders/send-due-reminders.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, build, client, unchanged, read, stopClockAt } = await testWorld();
const admin = await build.admin();

const START = new Date("2027-01-08T20:00:00Z");
const minutesBefore = (minutes: number) => new Date(START.getTime() - minutes * 60_000);
let player: BuiltUser;
let browser: TestClient;
let session: typeof sessions.$inferSelect;
const path = () => `/api/v1/sessions/${session.slug}/reminder`;

beforeEach(async () => {
  await stopClockAt(minutesBefore(60));
  player = await build.player();
  browser = await client(player);
  session = await build.session({ name: "Quiz night" });
  await build.draft({ sessionId: session.id });
  await db.update(sessions).set({ startsAt: START }).where(eq(sessions.id, session.id));
});

/** Runs the worker's task twice, as two workers would. */
async function sendAt(moment: Date): Promise<void> {
  await stopClockAt(moment);
  await Promise.all([sendDueReminders(deps), sendDueReminders(deps)]);
  await sendDueReminders(deps);
}

const notesOf = async ({ id }: BuiltUser) => (await read.told(id)).map(({ title }) => title);
const mailsOf = ({ id }: BuiltUser) => db.select().from(mails).where(eq(mails.userId, id));
const remindersOf = (owner: Database, { id }: BuiltUser) =>
  owner.select().from(reminders).where(eq(reminders.userId, id));

async function givePush({ id: userId }: BuiltUser, wanted: { sessionLive: boolean; results: boolean }) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const signIn = only(await db.insert(signIns).values({ userId, csrfSecret: "s", expiresAt }).returning());
  const keys = { endpoint: `https://push.example.test/${userId}`, p256dh: "k", auth: "a" };
  return only(
    await db
      .insert(pushSubscriptions)
      .values({ userId, signInId: signIn.id, ...keys, ...wanted })
      .returning(),
  );
}

test("a player asks, is reminded once, ten minutes before, and by mail", async () => {
  expect((await browser.get(path())).body).toEqual({
    reminder: {
      sessionId: session.id,
      slug: session.slug,
      name: "Quiz night",
      startsAt: START.toISOString(),
      isSet: false,
      way: "mail",
    },
  });
  for (let time = 0; time < 2; time += 1)
    expect(await browser.send("PUT", path())).toMatchObject({
      status: 200,
      body: { reminder: { isSet: true } },
    });
  expect(await remindersOf(db, player)).toHaveLength(1);

  await sendAt(minutesBefore(11));
  expect([await notesOf(player), await mailsOf(player)]).toEqual([[], []]);
  await sendAt(minutesBefore(10));
  await sendAt(minutesBefore(1));
  expect(await notesOf(player)).toEqual(["Quiz night starts soon"]);
  const mail = only(await mailsOf(player));
  expect(mail).toMatchObject({ kind: "session_reminder", recipient: player.email, sessionId: session.id });
  const letter = await composeMail(deps, mail);
  expect(letter?.subject).toBe("Quiz night starts soon");
  expect(letter?.text).toContain(`${deps.env.publicUrl}/sessions/${session.slug}`);
});

test("a reminder that was taken back does not go out", async () => {
  await browser.send("PUT", path());
  expect((await browser.send("DELETE", path())).status).toBe(204);
  expect((await browser.send("DELETE", path())).status).toBe(204);
  expect((await browser.get(path())).body).toMatchObject({ reminder: { isSet: false } });
  await sendAt(minutesBefore(5));
  expect([await notesOf(player), await mailsOf(player)]).toEqual([[], []]);
});

test("it follows a session that is moved, and goes out again only for another start", async () => {
  await browser.send("PUT", path());
  const move = (startsAt: Date | null) =>
    updateSession(deps, { sessionId: session.id, actor: admin, changes: { startsAt } });
  const later = new Date(START.getTime() + 86_400_000);
  await move(later);
  await sendAt(START);
  expect(await notesOf(player)).toEqual([]);
  await move(START);
  await sendAt(minutesBefore(9));
  expect(await notesOf(player)).toHaveLength(1);
  await move(minutesBefore(5));
  await sendAt(minutesBefore(6));
  expect(await notesOf(player)).toHaveLength(1);
  await move(later);
  await sendAt(minutesBefore(4));
  expect(await notesOf(player)).toHaveLength(1);
  await sendAt(new Date(later.getTime() - 600_000));
  expect(await notesOf(player)).toHaveLength(2);
  await move(null);
  await sendAt(later);
  expect(await notesOf(player)).toHaveLength(2);
});

test("where the session starts early it goes out at once; after a reminder the start is no news", async () => {
  const early = await build.session({ name: "Early" });
  await build.draft({ sessionId: early.id });
  await db.update(sessions).set({ startsAt: START }).where(eq(sessions.id, early.id));
  await browser.send("PUT", path());
  await browser.send("PUT", `/api/v1/sessions/${early.slug}/reminder`);
  await by(admin).start(early.id);
  await sendAt(minutesBefore(59));
  expect(await notesOf(player)).toEqual(["Early is live"]);
  const mail = only(await mailsOf(player));
  expect((await composeMail(deps, mail))?.subject).toBe("Early is live");
  await sendAt(minutesBefore(10));
  await by(admin).start(session.id);
  await sendAt(minutesBefore(0));
  expect(await notesOf(player)).toEqual(["Early is live", "Quiz night starts soon"]);
  // A mail that waited until the show was over is not sent.
  await by(admin).stop(early.id);
  expect(await composeMail(deps, mail)).toBeNull();
  await pruneTable(deps, reminders);
  expect((await remindersOf(db, player)).map(({ sessionId }) => sessionId)).toEqual([session.id]);
});

test("who asked is told that the session was called off, and hears nothing of it afterwards", async () => {
  await browser.send("PUT", path());
  await destroySession(deps, { sessionId: session.id, actor: admin });
  expect(await notesOf(player)).toEqual(["Quiz night was called off"]);
  expect(await remindersOf(db, player)).toEqual([]);
  await sendAt(minutesBefore(5));
  expect(await notesOf(player)).toHaveLength(1);
});

test("a browser that shows messages gets it, whatever it shows, and no mail is sent then", async () => {
  const subscription = await givePush(player, { sessionLive: true, results: false });
  expect((await browser.send("PUT", path())).body).toMatchObject({ reminder: { way: "push" } });
  await sendAt(minutesBefore(10));
  expect(await mailsOf(player)).toEqual([]);
  const note = only(await read.told(player.id));
  await writePushes(deps, { about: "notifications", ids: [note.id] });
  const pushes = await db.select().from(pushMessages).where(eq(pushMessages.subscriptionId, subscription.id));
  expect(pushes).toMatchObject([{ about: "notification", aboutId: note.id }]);
});

test("who cannot be reached is refused with the cure, and has the calendar file", async () => {
  await db.update(users).set({ confirmedAt: null }).where(eq(users.id, player.id));
  expect(await unchanged(() => browser.send("PUT", path()))).toMatchObject({
    status: 422,
    body: { code: "unreachable", errors: { reminder: ["has no way to reach you"] } },
  });
  const stranger = await client();
  expect((await stranger.get(path())).body).toMatchObject({ reminder: { isSet: false, way: null } });
  expect((await stranger.send("PUT", path())).status).toBe(401);
  const file = await stranger.get(`/api/v1/sessions/${session.slug}/calendar.ics`);
  expect([file.status, file.headers.get("content-type")]).toEqual([
    200,
    "text/calendar; charset=utf-8; method=PUBLISH",
  ]);
});

test("a session that is not planned for a time has no reminder and no file", async () => {
  await browser.send("PUT", path());
  await updateSession(deps, { sessionId: session.id, actor: admin, changes: { startsAt: null } });
  const before = await read.digest();
  for (const address of [
    path(),
    `/api/v1/sessions/${session.slug}/calendar.ics`,
    path().replace(session.slug, "no-such"),
  ])
    expect((await browser.get(address)).status).toBe(404);
  expect((await browser.send("PUT", path())).status).toBe(404);
  expect(await read.digest()).toBe(before);
});

import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { mails } from "#db/schema/mails.ts";
import { notifications } from "#db/schema/notifications.ts";
import { payments } from "#db/schema/payments.ts";
import { pushMessages } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { sessions } from "#db/schema/sessions.ts";
import { breaks } from "#db/schema/spending.ts";
import { users } from "#db/schema/users.ts";
import { announce } from "#src/people/notifications/announce.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { writePushes } from "#src/people/push/deliver-push.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { sendDueReminders } from "#src/show/reminders/send-due-reminders.ts";
import { stripeVariables } from "#tests/money/payments/stripe-events.ts";
import { startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { readSpots } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { runClock } from "#tests/support/database.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { testWorld } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;
const stripe = startStripeServer();
const world = await testWorld({ ...stripeVariables(stripe), RATE_LIMITS: "off" }, { poolSize: 10 });
afterFile(() => stripe.stop());
const { deps, db, build, by, client, read, unchanged } = world;
afterTest(() => runClock(deps.pool));

const session = await build.runningSession();
const openEvent = () => build.event("open", { sessionId: session.id, durationSeconds: 3_000_000 / 2 });
const begin = (browser: TestClient, period = "day") =>
  browser.send("PUT", "/api/v1/spending/break", { break: { period } });
const call = (browser: TestClient, spotId: number) =>
  browser.send("POST", "/api/v1/calls", { call: { spot_id: spotId, wager: 1 } });
const deposit = (browser: TestClient) => browser.send("POST", "/api/v1/payments", { payment: { amount: 5 } });
const spotOf = async (eventId: number) => (await readSpots(deps, eventId)).true.id;

test("on a break nobody calls or pays in, and open calls stay and are paid", async () => {
  const event = await openEvent();
  const spotId = await spotOf(event.id);
  const [player, rival] = [await build.player(), await build.player()];
  const browser = await client(player);
  expect((await call(browser, spotId)).status).toBe(201);
  await build.call({ userId: rival.id, eventId: event.id, side: "false" });
  const { status, body } = await begin(browser);
  expect({ status, body }).toMatchObject({ status: 200, body: { break: { period: "day" } } });
  for (const refused of [() => call(browser, spotId), () => deposit(browser)]) {
    expect(await unchanged(refused)).toMatchObject({
      status: 422,
      body: { code: "on_break", detail: expect.stringMatching(/^You are on a break until .* UTC\./) },
    });
  }
  await by(null).close(event.id);
  await by(null).settle(event.id, "true");
  expect(await db.select({ outcome: calls.outcome }).from(calls).where(eq(calls.userId, player.id))).toEqual([
    { outcome: "won" },
  ]);
  for (const path of [
    "/api/v1/users/me",
    "/api/v1/spending",
    "/api/v1/transactions.csv",
    "/api/v1/users/me/export.json",
  ])
    expect((await browser.get(path)).status).toBe(200);
});

test("an order that the provider did not answer begins no checkout on a break, and does afterwards", async () => {
  const browser = await client(await build.player());
  const order = () =>
    browser.send("POST", "/api/v1/payments", { payment: { amount: 5 } }, { "idempotency-key": "one-order" });
  await order();
  await db.update(payments).set({ checkoutUrl: null });
  await begin(browser);
  expect(await unchanged(order)).toMatchObject({ status: 422, body: { code: "on_break" } });
  await runClock(deps.pool, { aheadMs: DAY_MS + 1_000 });
  expect((await order()).status).toBe(201);
});

test("a break ends by itself, and not before", async () => {
  const event = await openEvent();
  const spotId = await spotOf(event.id);
  const browser = await client(await build.player());
  await begin(browser, "week");
  await runClock(deps.pool, { aheadMs: 7 * DAY_MS - 60_000 });
  expect((await call(browser, spotId)).status).toBe(422);
  await runClock(deps.pool, { aheadMs: 7 * DAY_MS + 1_000 });
  expect((await call(browser, spotId)).status).toBe(201);
  expect((await deposit(browser)).status).toBe(201);
});

test("a guest's break holds too, and goes on when the guest has become a part of an account", async () => {
  const event = await openEvent();
  const spotId = await spotOf(event.id);
  const [guest, player, admin] = [await build.player(), await build.player(), await build.admin()];
  await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
  const browser = await client(guest);
  expect((await begin(browser, "half_year")).status).toBe(200);
  expect((await call(browser, spotId)).status).toBe(422);
  const merge = { user: { account: player.username, reason: "The same person" } };
  expect((await (await client(admin)).send("PUT", `/api/v1/users/${guest.id}/merge`, merge)).status).toBe(
    200,
  );
  expect((await call(await client(player), spotId)).status).toBe(422);
});

test("a shorter break is refused, admins only lengthen one, and a host cannot", async () => {
  const [player, admin] = [await build.player(), await build.admin()];
  const [browser, support] = [await client(player), await client(admin)];
  const lengthen = (as: TestClient, period: string) =>
    as.send("PUT", `/api/v1/users/${player.id}/break`, { break: { period, reason: "Asked by mail" } });
  expect((await unchanged(() => lengthen(support, "week"))).status).toBe(409);
  await begin(browser, "month");
  for (const period of ["day", "week"]) {
    expect(await unchanged(() => begin(browser, period))).toMatchObject({
      status: 422,
      body: { code: "on_break" },
    });
    expect((await unchanged(() => lengthen(support, period))).status).toBe(422);
  }
  expect((await unchanged(() => lengthen(browser, "year"))).status).toBe(403);
  expect((await lengthen(support, "year")).status).toBe(200);
  expect(await db.$count(breaks, eq(breaks.userId, player.id))).toBe(2);
});

test("no row of a break that has not ended changes or goes, not even by the owner of the tables", async () => {
  const browser = await client(await build.player());
  await begin(browser);
  for (const statement of [
    "DELETE FROM breaks WHERE ends_at > game_now()",
    "UPDATE breaks SET ends_at = began_at",
    "TRUNCATE breaks",
  ])
    expect(
      await unchanged(() =>
        deps.pool.sql.unsafe(statement).then(
          () => "done",
          () => "refused",
        ),
      ),
    ).toBe("refused");
});

test("who is on a break gets no invitation, reminder or announcement, and hears of results and payments", async () => {
  const [player, admin] = [await build.player(), await build.admin()];
  await begin(await client(player), "half_year");
  const kinds = ["session_live", "reminder", "result", "payment"] as const;
  await writeNotifications(
    db,
    kinds.map((kind) => ({ userId: player.id, kind, title: "It", body: "", url: null })),
  );
  await announce(deps, { title: "Tonight", body: "Come and play.", actor: admin });
  expect((await read.told(player.id)).map(({ kind }) => kind).toSorted()).toEqual(["payment", "result"]);
  // Who announces it reads it.
  await begin(await client(admin));
  await announce(deps, { title: "Later", body: "", actor: admin });
  expect((await read.told(admin.id)).map(({ title }) => title).toSorted()).toEqual(["Later", "Tonight"]);
});

test("a reminder that falls into a break goes out by no mail and to no browser", async () => {
  const [away, here] = [await build.player(), await build.player()];
  const planned = await build.session();
  await db
    .update(sessions)
    .set({ startsAt: sql`game_now() + interval '5 minutes'` })
    .where(eq(sessions.id, planned.id));
  for (const { id: userId } of [away, here])
    await db.insert(reminders).values({ sessionId: planned.id, userId });
  await begin(await client(away));
  await sendDueReminders(deps);
  const sent = await db.select().from(mails).where(eq(mails.sessionId, planned.id));
  expect(sent.map(({ recipient }) => recipient)).toEqual([here.email ?? ""]);
  for (const mail of sent) expect(await composeMail(deps, mail)).not.toBeNull();
  expect(await db.$count(notifications, eq(notifications.userId, away.id))).toBe(0);
  const browsers = [away, here].map(({ id }) =>
    db.execute(sql`WITH made AS (
        INSERT INTO push_subscriptions (user_id, sign_in_id, endpoint, p256dh, auth, session_live, results)
        SELECT ${id}, (SELECT id FROM sign_ins WHERE user_id = ${away.id} LIMIT 1), ${`https://push.example.test/${id}`}, 'k', 'a', true, true
        RETURNING id) SELECT id FROM made`),
  );
  await Promise.all(browsers);
  await writePushes(deps, { about: "session", id: planned.id });
  const written = await db.select().from(pushMessages).where(eq(pushMessages.aboutId, planned.id));
  expect(written).toHaveLength(1);
  // One that begins while a mail waits holds it back.
  await begin(await client(here));
  for (const mail of sent) expect(await composeMail(deps, mail)).toBeNull();
});

const ROUNDS = roundsOf({ daily: 10, many: 1_000 });

test("no call and no checkout is placed after a break has begun, however many come at once", async () => {
  const event = await openEvent();
  const spotId = await spotOf(event.id);
  for (let round = 0; round < ROUNDS; round += 1) {
    const player = await build.player();
    const browser = await client(player);
    const rush = () => Array.from({ length: 5 }, () => [call(browser, spotId), deposit(browser)]).flat();
    const [begun] = await Promise.all([begin(browser), ...rush()]);
    expect(begun.status).toBe(200);
    const count = async () => [
      await db.$count(calls, eq(calls.userId, player.id)),
      await db.$count(payments, eq(payments.userId, player.id)),
    ];
    const before = await count();
    for (const { status } of await Promise.all(rush())) expect(status).toBe(422);
    expect(await count()).toEqual(before);
  }
});

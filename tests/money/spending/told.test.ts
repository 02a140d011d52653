import { expect, test } from "bun:test";
import { and, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { connect, inTransaction } from "#db/client.ts";
import { queryValue, wholeNumber } from "#db/ledger/query.ts";
import { signIns, users } from "#db/schema/users.ts";
import { siteSpendingAnswer, spendingAnswer, statementAnswer } from "#src/money/spending/schemas.ts";
import { tellSpending } from "#src/money/spending/tell-spending.ts";
import { createServer } from "#src/server.ts";
import { chargeBack, deposit } from "#tests/ledger/move-money.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { signedInClient } from "#tests/support/client.ts";
import { giveMoney } from "#tests/support/give-money.ts";
import { untilPasses } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, by, client, read, unchanged, runClock, stopClockAt } = await testWorld(
  {},
  { poolSize: 10 },
);
const session = await build.runningSession();
afterTest(() => runClock());

/** The player wins or loses a dollar. */
async function play(userId: number, result: "true" | "false") {
  const { id: eventId } = await build.event("open", { sessionId: session.id });
  const rival = await build.player();
  await build.call({ userId, eventId });
  await build.call({ userId: rival.id, eventId, side: "false" });
  await by(null).close(eventId);
  await by(null).settle(eventId, result);
}
const earlier = (userId: number, minutes: number) =>
  db.execute(sql`UPDATE sign_ins SET created_at = created_at - make_interval(mins => ${minutes}),
    told_at = told_at - make_interval(mins => ${minutes}) WHERE user_id = ${userId}`);
const titles = async (userId: number) =>
  (await read.told(userId)).flatMap(({ title, kind }) => (kind === "spending" ? [title] : []));

test("after an hour, and each hour again, a player is told once how long it is and what was won or lost", async () => {
  const player = await build.player();
  await client(player);
  await play(player.id, "false");
  await earlier(player.id, 59);
  await tellSpending(deps);
  expect(await titles(player.id)).toEqual([]);
  await earlier(player.id, 1);
  await Promise.all([tellSpending(deps), tellSpending(deps)]);
  await tellSpending(deps);
  expect(await titles(player.id)).toEqual(["Signed in for 1 hour: -$1.00"]);
  await earlier(player.id, 90);
  await tellSpending(deps);
  expect(await titles(player.id)).toHaveLength(2);
});

test("who is here on two devices since different times is told once an hour, for both", async () => {
  const player = await build.player();
  await client(player);
  await earlier(player.id, 60);
  await tellSpending(deps);
  await client(player);
  await earlier(player.id, 59);
  await db
    .update(signIns)
    .set({ createdAt: sql`created_at - interval '1 minute'` })
    .where(and(eq(signIns.userId, player.id), isNull(signIns.toldAt)));
  await tellSpending(deps);
  expect(await titles(player.id)).toEqual(["Signed in for 1 hour: $0.00"]);
  await earlier(player.id, 1);
  await tellSpending(deps);
  expect(await titles(player.id)).toHaveLength(2);
});

test("of two processes that tell at once, one tells a player on two devices that it finds in two batches", async () => {
  const [crowd, player] = [await build.player(), await build.player()];
  await client(player);
  await client(player);
  await earlier(player.id, 60);
  // So many are due that one batch takes one of the two devices, and leaves the other one.
  await db.execute(sql`INSERT INTO sign_ins (user_id, csrf_secret, expires_at, created_at, last_seen_at)
    SELECT ${crowd.id}, 's', clock_timestamp() + interval '1 day', clock_timestamp() - interval '1 hour', clock_timestamp() + interval '1 minute'
    FROM generate_series(1, 499)`);
  const waiting = () => queryValue(db, wholeNumber)`SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%notifications%'`;
  // A pool of its own for the lock, in which both wait with what they have told.
  await using pool = connect(deps.env.databaseUrl, { poolSize: 1 });
  const tellings: Promise<void>[] = [];
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
    await tx.execute(sql`LOCK TABLE notifications IN SHARE MODE`);
    tellings.push(tellSpending(deps));
    await untilPasses(async () => expect(await waiting()).toBe(1));
    const second = tellSpending(deps);
    tellings.push(second);
    let hasEnded = false;
    void second.then(() => (hasEnded = true));
    await untilPasses(async () => expect(hasEnded || (await waiting()) === 2).toBe(true));
  });
  await Promise.all(tellings);
  await tellSpending(deps);
  expect(await titles(player.id)).toHaveLength(1);
});

test("nobody is told who is not here, who has signed out, or where payments or the setting are off", async () => {
  const [away, out, here] = [await build.player(), await build.player(), await build.player()];
  for (const player of [away, out, here]) {
    await client(player);
    await earlier(player.id, 90);
  }
  const now = sql`clock_timestamp()`;
  await db
    .update(signIns)
    .set({ lastSeenAt: sql`${now} - interval '11 minutes'` })
    .where(eq(signIns.userId, away.id));
  await db.update(signIns).set({ endedAt: now }).where(eq(signIns.userId, out.id));
  const spending = { ...deps.env.spending, reminderMinutes: null };
  await tellSpending({ ...deps, env: { ...deps.env, payments: { provider: "none" } } });
  await tellSpending({ ...deps, env: { ...deps.env, spending } });
  expect(await titles(here.id)).toEqual([]);
  await tellSpending(deps);
  for (const player of [away, out]) expect(await titles(player.id)).toEqual([]);
  expect(await titles(here.id)).toHaveLength(1);
});

test("a statement is the sum of the ledger's entries: its parts make the closing balance, also over months", async () => {
  const player = await build.player({ balanceCents: 0 });
  const browser = await client(player);
  const statement = async (from: string, to: string) =>
    v.parse(statementAnswer, (await browser.get(`/api/v1/spending/statement?from=${from}&to=${to}`)).body)
      .statement;
  await stopClockAt(new Date("2026-10-31T23:59:59Z"));
  await giveMoney(db, player.id, 500);
  const paid = await deposit(deps.pool, player.id, 2_000);
  await stopClockAt(new Date("2026-11-01T00:00:00Z"));
  await deposit(deps.pool, player.id, 1_000);
  await play(player.id, "true");
  await play(player.id, "true");
  await play(player.id, "false");
  await chargeBack(deps.pool, paid, 700);
  await stopClockAt(new Date("2026-12-01T00:00:00Z"));
  await play(player.id, "false");
  // More than the wallet has: the rest is a debt.
  const last = await deposit(deps.pool, player.id, 5_000);
  await chargeBack(deps.pool, paid, 1_300);
  await chargeBack(deps.pool, last, 5_000);

  const november = await statement("2026-11-01", "2026-11-30");
  expect(november).toMatchObject({
    openingCents: 2_500,
    depositedCents: 1_000,
    takenBackCents: -700,
    playMoneyCents: 0,
    wonCents: 200,
    lostCents: -100,
    netCents: 100,
    otherCents: 0,
    closingCents: 2_900,
  });
  const months = [
    await statement("2026-10-01", "2026-10-31"),
    november,
    await statement("2026-12-01", "2026-12-31"),
  ];
  for (const month of months) {
    const {
      openingCents,
      depositedCents,
      takenBackCents,
      playMoneyCents,
      netCents,
      otherCents,
      closingCents,
    } = month;
    expect(openingCents + depositedCents + takenBackCents + playMoneyCents + netCents + otherCents).toBe(
      closingCents,
    );
  }
  expect(months.map(({ openingCents }) => openingCents).slice(1)).toEqual(
    months.map(({ closingCents }) => closingCents).slice(0, -1),
  );
  expect(months.at(-1)?.closingCents).toBe(await read.balance(player.id));
});

test("the file of a statement has a line for each sum", async () => {
  const player = await build.player({ balanceCents: 0 });
  const browser = await client(player);
  await stopClockAt(new Date("2026-11-30T23:59:59Z"));
  await deposit(deps.pool, player.id, 2_900);
  const csv = await browser.get("/api/v1/spending/statement.csv?from=2026-11-01&to=2026-11-30");
  expect(csv.body).toContain("2026-11-01,2026-11-30,Paid in,29\r\n");
  expect(csv.body).toContain("2026-11-01,2026-11-30,Balance after,29\r\n");
});

test("a period that ends before it begins, and a date that there is not, are refused", async () => {
  const browser = await client(await build.player());
  for (const query of ["from=2026-11-02&to=2026-11-01", "from=2026-13-01", "to=soon"])
    expect((await unchanged(() => browser.get(`/api/v1/spending/statement?${query}`))).status).toBe(422);
});

test("this month's deposits are net of what was refunded of them", async () => {
  const player = await build.player();
  const paid = await deposit(deps.pool, player.id, 2_000);
  await chargeBack(deps.pool, paid, 500);
  const { body } = await (await client(player)).get("/api/v1/spending");
  expect(v.parse(spendingAnswer, body).spending.monthCents).toBe(1_500);
});

test("operators read the sums of all players by day, and how many are at a limit or on a break, without a name", async () => {
  const [player, admin] = [await build.player(), await build.admin()];
  const support = await client(admin);
  const site = async () =>
    v.parse(siteSpendingAnswer, (await support.get("/api/v1/spending/site")).body).site;
  const [account, guest] = [await build.player(), await build.player()];
  await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
  await (await client(guest)).send("PUT", "/api/v1/spending/break", { break: { period: "year" } });
  const before = await site();
  const browser = await client(player);
  await browser.send("PUT", "/api/v1/spending/limits/1", { limit: { amount: 20 } });
  const paid = await deposit(deps.pool, player.id, 2_000);
  await browser.send("PUT", "/api/v1/spending/break", { break: { period: "day" } });
  const after = await site();
  const today = ({ days }: typeof after) =>
    days[0] ?? { depositedCents: 0, depositsCount: 0, breaksBegun: 0 };
  expect(after.days).toHaveLength(30);
  expect(today(after).depositedCents - today(before).depositedCents).toBe(2_000);
  expect(today(after).depositsCount - today(before).depositsCount).toBe(1);
  expect(today(after).breaksBegun - today(before).breaksBegun).toBe(1);
  expect([after.playersAtLimit, after.playersOnBreak]).toEqual([
    before.playersAtLimit + 1,
    before.playersOnBreak + 1,
  ]);
  expect(JSON.stringify(after)).not.toContain(player.username);
  // One that support lengthens has not begun, nor one that goes on for an account from its guest.
  const longer = { break: { period: "year", reason: "Asked by mail" } };
  expect((await support.send("PUT", `/api/v1/users/${player.id}/break`, longer)).status).toBe(200);
  const merge = { user: { account: account.username, reason: "The same person" } };
  expect((await support.send("PUT", `/api/v1/users/${guest.id}/merge`, merge)).status).toBe(200);
  expect(today(await site()).breaksBegun).toBe(today(after).breaksBegun);
  await chargeBack(deps.pool, paid, 500);
  expect(today(await site()).depositedCents - today(before).depositedCents).toBe(1_500);
});

test("where payments are off nothing of it exists", async () => {
  const off = { ...deps, env: { ...deps.env, payments: { provider: "none" as const } } };
  const [player, admin] = [await build.player(), await build.admin()];
  const [browser, support] = [
    await signedInClient(off, createServer(off), player),
    await signedInClient(off, createServer(off), admin),
  ];
  for (const [as, method, path, body] of [
    [browser, "GET", "/api/v1/spending", undefined],
    [browser, "GET", "/api/v1/spending/statement", undefined],
    [browser, "GET", "/api/v1/spending/statement.csv", undefined],
    [browser, "PUT", "/api/v1/spending/limits/7", { limit: { amount: 5 } }],
    [browser, "PUT", "/api/v1/spending/break", { break: { period: "day" } }],
    [support, "PUT", `/api/v1/users/${player.id}/break`, { break: { period: "day", reason: "Asked" } }],
    [support, "GET", "/api/v1/spending/site", undefined],
  ] as const)
    expect((await unchanged(() => as.send(method, path, body))).status).toBe(404);
});

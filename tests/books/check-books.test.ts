import { beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { listBookChecks, listDifferingRows } from "#db/ledger/list-book-checks.ts";
import { bookChecks } from "#db/schema/books.ts";
import { notifications } from "#db/schema/notifications.ts";
import { userRoles } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { checkBooksNow } from "#src/books/check-books-now.ts";
import { checkBooksWhenDue } from "#src/books/check-books-when-due.ts";
import { checkBooks } from "#src/books/check-books.ts";
import { readFindings } from "#src/books/present-book-check.ts";
import { booksAnswer } from "#src/books/schemas.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, client, set } = await testWorld();
const admin = await build.admin();
const operator = await build.player();
await db.insert(userRoles).values({ userId: operator.id, role: "operator" });
const player = await build.player();
const session = await build.runningSession();
const slug = session.slug;
const resolved = await build.event("open", { sessionId: session.id });
await build.call({ userId: player.id, eventId: resolved.id });
await timer.settle(resolved.id);
const open = await build.event("open", { sessionId: session.id });
await build.call({ userId: player.id, eventId: open.id });

beforeEach(async () => {
  await db.delete(bookChecks);
  await db.delete(notifications);
});

const checks = () => db.select().from(bookChecks).orderBy(bookChecks.id);

/** Changes rows that the triggers protect. */
async function tamper(tx: Transaction, statement: string): Promise<void> {
  await tx.execute(sql`SET LOCAL session_replication_role = replica`);
  await tx.execute(sql.raw(statement));
  await tx.execute(sql`SET LOCAL session_replication_role = origin`);
}

const setPool = (change: string) =>
  db.transaction((tx) =>
    tamper(
      tx,
      `UPDATE spots SET pool_cents = pool_cents ${change} WHERE event_id = ${resolved.id} AND side = 'true'`,
    ),
  );

test("a check without findings is stored with its time and zeros", async () => {
  await checkBooks(deps, admin);
  const [kept, ...more] = await checks();
  expect(more).toEqual([]);
  expect(kept).toMatchObject({ differencesCount: 0, actorId: admin.id });
  const findings = readFindings(kept?.findings);
  expect(findings.length).toBe((await listBookChecks(db)).length + 2);
  expect(findings.filter(({ bad, rows }) => bad !== 0 || rows.length > 0)).toEqual([]);
  expect(await db.$count(notifications)).toBe(0);
});

test("a difference notifies the staff once, and again only after it disappeared", async () => {
  const readNotifications = () => db.select().from(notifications).orderBy(notifications.userId);
  await setPool("+ 5");
  await checkBooks(deps, null);
  await checkBooks(deps, null);
  const findings = readFindings((await checks())[0]?.findings).filter(({ bad }) => bad !== 0);
  expect(findings).toMatchObject([
    {
      name: "spots whose counters are not their calls",
      bad: 1,
      rows: [{ label: expect.stringMatching(/^spot \d+, true$/), eventId: resolved.id, sessionSlug: slug }],
    },
  ]);
  const what = { title: "The books do not agree", url: "/admin/books" };
  expect(await readNotifications()).toMatchObject([
    { ...what, userId: admin.id, body: "spots whose counters are not their calls: 1" },
    { ...what, userId: operator.id },
  ]);
  await setPool("- 5");
  await checkBooks(deps, null);
  expect((await readNotifications()).length).toBe(2);
  await setPool("+ 5");
  await checkBooks(deps, null);
  expect((await readNotifications()).length).toBe(4);
  await setPool("- 5");
});

const lastEntry = "(SELECT max(id) FROM entries)";
/** What each check finds. */
const wrongs: Record<string, string> = {
  "journals that do not balance": `UPDATE entries SET amount_cents = amount_cents + 1 WHERE id = ${lastEntry}`,
  "accounts that do not follow their entries":
    "UPDATE accounts SET posted_cents = posted_cents + 1 WHERE kind = 'house'",
  "wallets that do not hold their active calls":
    "UPDATE accounts SET held_cents = held_cents + 1 WHERE id = (SELECT max(account_id) FROM calls)",
  "resolved calls that differ from the live settlement":
    "UPDATE settlement_lines SET payout_cents = payout_cents + 1",
  "events whose result is not the live settlement":
    "UPDATE events SET result = 'false' WHERE result = 'true'",
  "settlements that do not conserve the pool": "UPDATE settlements SET pool_cents = pool_cents + 1",
  "active calls of an earlier round": "UPDATE events SET round = 2 WHERE state = 'open'",
  "players over the limit of an event": "UPDATE events SET min_wager_cents = 1, max_wager_cents = 1",
  "placed calls on an event that is not open": "UPDATE events SET state = 'closed' WHERE state = 'open'",
  "totals that are not their rows":
    "UPDATE totals SET rows_count = rows_count + 1 WHERE id = (SELECT min(id) FROM totals WHERE name = 'users')",
  "total held is not total exposure":
    "UPDATE accounts SET held_cents = held_cents + 1 WHERE id = (SELECT max(account_id) FROM calls)",
  "lock tokens from the future": "UPDATE events SET fence = 9223372036854775807 WHERE state = 'open'",
};

for (const [check, statement] of Object.entries(wrongs)) {
  test(`findings list the differing rows of ${check}: ${statement}`, async () => {
    const undone = new Error("undone");
    const work = db.transaction(async (tx) => {
      await tamper(tx, statement);
      const found = (await listBookChecks(tx)).find(({ name }) => name === check);
      const rows = await listDifferingRows(tx, check, { limit: 10 });
      expect([found?.bad, rows.length]).toEqual([rows.length, Math.max(1, rows.length)]);
      throw undone;
    });
    expect(await work.catch((error: unknown) => error)).toBe(undone);
  });
}

test("findings list the differing rows: none while the books agree", async () => {
  for (const { name, bad } of await listBookChecks(db)) {
    expect([name, bad, await listDifferingRows(db, name, { limit: 10 })]).toEqual([name, 0, []]);
  }
});

test("the schedule checks once a minute, and large books less often", async () => {
  await checkBooksWhenDue(deps);
  await checkBooksWhenDue(deps);
  expect((await checks()).length).toBe(1);
  const ago = (seconds: number, durationMs: number) =>
    db.update(bookChecks).set({ durationMs, checkedAt: new Date(Date.now() - seconds * 1_000) });
  await ago(61, 10_000);
  await checkBooksWhenDue(deps);
  expect((await checks()).length).toBe(1);
  await ago(61, 10);
  await checkBooksWhenDue(deps);
  expect((await checks()).length).toBe(2);
});

test("requests during a check share its result; a timeout is a 503", async () => {
  const shared = await Promise.all([1, 2, 3].map(() => checkBooksNow(deps, admin)));
  expect(new Set(shared.map(({ id }) => id)).size).toBe(1);
  const hurried = checkBooksNow(deps, operator, null, { waitMaxMs: 0 });
  expect(await hurried.catch((error: unknown) => error)).toMatchObject({
    status: 503,
    code: "still_checking",
  });
  await waitFor("the second check", async () => (await checks()).length === 2);
});

test("pruning deletes checks without findings after 7 days, others after 90 days", async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const rows = [
    [6, 0],
    [8, 0],
    [80, 1],
    [91, 1],
  ] as const;
  await db.insert(bookChecks).values(
    rows.map(([days, differencesCount]) => ({
      checkedAt: daysAgo(days),
      durationMs: 1,
      findings: [],
      differencesCount,
    })),
  );
  await pruneTable(deps, bookChecks);
  expect((await checks()).map(({ differencesCount }) => differencesCount)).toEqual([0, 1]);
});

test("the API lets admins and operators read the last check and totals, and run a check", async () => {
  for (const user of [admin, operator]) {
    const browser = await client(user);
    expect(await browser.send("POST", "/api/v1/books/checks")).toMatchObject({
      status: 201,
      body: { bookCheck: { differencesCount: 0 } },
    });
    const { body, status } = await browser.get("/api/v1/books");
    expect(status).toBe(200);
    const { books } = v.parse(booksAnswer, body);
    expect(books).toMatchObject({ overdue: false, paymentFlags: [], waitingRefunds: [] });
    expect(books.accounts.map(({ kind }) => kind)).toEqual([
      "wallet",
      "receivable",
      "house",
      "promo",
      "external",
      "clearing",
    ]);
    expect(books.accounts.reduce((sum, { postedCents }) => sum + postedCents, 0)).toBe(0);
  }
  expect((await checks()).map(({ actorId }) => actorId)).toEqual([admin.id, operator.id]);
});

test("the API reports when the schedule's check is overdue", async () => {
  await checkBooks(deps, null);
  await set(bookChecks, eq(bookChecks.differencesCount, 0), {
    checkedAt: new Date(Date.now() - 600_000),
  });
  const { body } = await (await client(operator)).get("/api/v1/books");
  expect(body).toMatchObject({ books: { overdue: true, lastCheck: { checkedBy: null } } });
});

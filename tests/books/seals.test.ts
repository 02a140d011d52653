import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import { findNewestSeal, findSeal } from "#db/ledger/seal-journals.ts";
import { writeAudit } from "#src/base/audit.ts";
import { sealNewJournals } from "#src/books/seal-new-journals.ts";
import { listDifferences } from "#tests/support/books.ts";
import { holdTransaction } from "#tests/support/in-long-transaction.ts";
import { testWorld } from "#tests/support/world.ts";

const counts = v.object({ seals: wholeNumber, journalsLeft: wholeNumber, auditsLeft: wholeNumber });

/** How many seals there are, and how many committed journals and audit rows are in none of them. */
function readCounts(db: Queryable): Promise<v.InferOutput<typeof counts>> {
  return queryRow(db, counts)`SELECT (SELECT count(*) FROM journal_seals) AS seals,
    (SELECT count(*) FROM journal WHERE NOT coalesce((SELECT range_agg(journals) FROM journal_seals), '{}') @> id)
      AS "journalsLeft",
    (SELECT count(*) FROM audit WHERE NOT coalesce((SELECT range_agg(audits) FROM journal_seals), '{}') @> id)
      AS "auditsLeft"`;
}

const { deps, timer, build } = await testWorld();
const { pool } = deps;

class Undone extends Error {}

/** The checks that find a difference after this work of the owner, with triggers switched off. It is undone. */
async function foundAfter(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  let found: string[] = [];
  const undone = inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await work(tx);
    found = (await listDifferences(tx)).map(({ name }) => name);
    throw new Undone();
  });
  expect(await undone.catch((error: unknown) => error)).toBeInstanceOf(Undone);
  return found;
}

const BROKEN = "seals that do not follow from what they seal";
const BEHIND = "journals and audit rows that appeared behind the seals";

/** Makes all seals an hour older, so that nothing can appear below them any more. */
const age = (tx: Transaction) =>
  tx.execute(sql`UPDATE journal_seals SET sealed_at = sealed_at - interval '1 hour'`);

const grant = (tx: Transaction, userId: number) =>
  grantPlayMoney(tx, {
    userId,
    amountCents: 5,
    idempotencyKey: `robot-${userId}-${crypto.randomUUID()}`,
    reason: "A gift",
  });

const player = await build.player();
await pool.sql`UPDATE users SET robot = true WHERE id = ${player.id}`;
const event = await build.event("open");
await build.call({ userId: player.id, eventId: event.id });
await build.call({ userId: (await build.player()).id, eventId: event.id, side: "false" });
await timer.settle(event.id);

beforeEach(() => sealNewJournals(deps));

test("all that was booked and audited is sealed, once", async () => {
  const head = await findNewestSeal(pool.db);
  expect(await readCounts(pool.db)).toMatchObject({ journalsLeft: 0, auditsLeft: 0 });
  await sealNewJournals(deps);
  expect(await findNewestSeal(pool.db)).toEqual(head);
  expect(await listDifferences(pool.db)).toEqual([]);
});

test("each seal continues the one before it, and an older head is still found", async () => {
  const head = await findNewestSeal(pool.db);
  if (head === null) throw new Error("nothing is sealed");
  await build.player();
  await sealNewJournals(deps);
  expect((await findNewestSeal(pool.db))?.hash).not.toBe(head.hash);
  expect(await findSeal(pool.db, head.hash)).toEqual(head);
  expect(await findSeal(pool.db, "0".repeat(64))).toBeNull();
});

test("what is not committed yet is sealed later, although later journals are sealed already", async () => {
  const slow = await holdTransaction(pool.db, async (tx) => {
    await grant(tx, player.id);
    await writeAudit(tx, {
      actor: null,
      action: "look",
      subject: { type: "event", id: event.id },
      sessionId: null,
      before: {},
      after: {},
    });
  });
  await pool.db.execute(
    sql`INSERT INTO audit (action, subject_type, subject_id) VALUES ('look', 'event', ${event.id})`,
  );
  await sealNewJournals(deps);
  const before = await readCounts(pool.db);
  expect(before).toMatchObject({ journalsLeft: 0, auditsLeft: 0 });
  // Also a seal that everybody takes for old covers it: its transaction has begun before.
  expect(await foundAfter(age)).toEqual([]);
  await slow.commit();
  expect(await readCounts(pool.db)).toMatchObject({ journalsLeft: 1, auditsLeft: 1 });
  await sealNewJournals(deps);
  expect(await readCounts(pool.db)).toMatchObject({ journalsLeft: 0, auditsLeft: 0 });
  expect(await listDifferences(pool.db)).toEqual([]);
});

test("ten processes that seal at once make one chain", async () => {
  await build.player();
  await Promise.all(Array.from({ length: 10 }, () => sealNewJournals(deps)));
  await sealNewJournals(deps);
  expect(await readCounts(pool.db)).toMatchObject({ journalsLeft: 0, auditsLeft: 0 });
  expect(await listDifferences(pool.db)).toEqual([]);
});

test("a booking does not wait while the seal is being made", async () => {
  await inTransaction(pool.db, async (tx) => {
    await build.player();
    await tx.execute(sql`SELECT seal_journals(1000)`);
    // Committed while the seal is not.
    await build.player();
  });
});

const lastJournal = sql`(SELECT max(id) FROM journal)`;
const changes: [string, (tx: Transaction) => Promise<unknown>][] = [
  ["a changed journal", (tx) => tx.execute(sql`UPDATE journal SET reason = 'other' WHERE kind = 'grant'`)],
  [
    "a changed audit line",
    (tx) => tx.execute(sql`UPDATE audit SET reason = 'other' WHERE id = (SELECT min(id) FROM audit)`),
  ],
  ["a removed audit line", (tx) => tx.execute(sql`DELETE FROM audit WHERE id = (SELECT min(id) FROM audit)`)],
  [
    "a changed settlement",
    (tx) => tx.execute(sql`UPDATE settlements SET winning_pool_cents = winning_pool_cents + 1`),
  ],
  [
    "a changed time of an entry",
    (tx) => tx.execute(sql`UPDATE entries SET created_at = created_at - interval '1 us'`),
  ],
  [
    "a pair of entries that is added to an old journal",
    (tx) =>
      tx.execute(sql`INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents,
          account_version)
        SELECT ${lastJournal}, a.id, n.amount, a.posted_cents + n.amount, a.held_cents, a.version + 1
        FROM accounts a JOIN (VALUES ('promo', -5), ('house', 5)) n(kind, amount) ON n.kind = a.kind`),
  ],
  [
    "a removed journal with its entries",
    (tx) =>
      tx.execute(
        sql`WITH gone AS (DELETE FROM entries WHERE journal_id = ${lastJournal}) DELETE FROM journal WHERE id = ${lastJournal}`,
      ),
  ],
  [
    "a removed seal",
    (tx) => tx.execute(sql`DELETE FROM journal_seals WHERE id = (SELECT min(id) FROM journal_seals)`),
  ],
  [
    "a changed hash",
    (tx) =>
      tx.execute(
        sql`UPDATE journal_seals SET hash = repeat('a', 64) WHERE id = (SELECT max(id) FROM journal_seals)`,
      ),
  ],
];

test.each(changes)("%s is found", async (_, change) => {
  await build.player();
  await sealNewJournals(deps);
  expect(await foundAfter(change)).toContain(BROKEN);
});

test("a journal that is inserted among old ones is found", async () => {
  const gap = inTransaction(pool.db, async (tx) => {
    await grant(tx, player.id);
    throw new Undone();
  });
  expect(await gap.catch((error: unknown) => error)).toBeInstanceOf(Undone);
  await build.player();
  await sealNewJournals(deps);
  const found = await foundAfter(async (tx) => {
    await age(tx);
    await tx.execute(
      sql`INSERT INTO journal (id, kind, idempotency_key, request_hash, reason) OVERRIDING SYSTEM VALUE
        SELECT n, 'grant', 'inserted', '', 'Mine' FROM generate_series(1, ${lastJournal}) AS n
        WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = n) LIMIT 1`,
    );
  });
  expect(found).toContain(BEHIND);
});

test("seals are append-only for the owner too", async () => {
  for (const statement of [
    "DELETE FROM journal_seals",
    "TRUNCATE journal_seals",
    "UPDATE journal_seals SET hash = hash",
  ]) {
    expect(await pool.db.execute(sql.raw(statement)).catch((error: unknown) => error)).toBeInstanceOf(Error);
  }
});

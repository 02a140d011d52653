import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { expectBooksToAgree } from "#tests/ledger/books.ts";
import { holdTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { testWorld } from "#tests/support/world.ts";

const WAITING_MAX = 4;

const { deps, db, build, read, signedIn } = await testWorld(
  { PLACING_QUEUE_MAX: String(WAITING_MAX) },
  { poolSize: 4 },
);

test("a call beyond the queue's capacity gets 503 with Retry-After, and the others are placed", async () => {
  const event = await build.event("open");
  const spots = await read.spots(event.id);
  const [player, browser] = await signedIn.player({ balanceCents: 10_000 });
  const place = () => browser.send("POST", "/api/v1/calls", { call: { spot_id: spots.true.id, wager: 1 } });
  const before = await read.digest();

  const locking = await holdTransaction(db, (tx) => tx.execute(sql`LOCK TABLE calls IN EXCLUSIVE MODE`));
  const placing = [place()];
  await untilBlocked(db);
  const waiting = Array.from({ length: WAITING_MAX + 3 }, place);
  const refused = await Promise.race(waiting);

  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.body).toMatchObject({
    error: "Too many calls are coming in at once. Try again in a moment.",
    code: "too_many_calls",
  });
  expect(await read.digest()).toBe(before);

  await locking.commit();
  const answers = await Promise.all([...placing, ...waiting]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(WAITING_MAX + 1);
  expect(statuses.filter((status) => status === 503)).toHaveLength(3);
  expect((await read.wallet(player.id)).heldCents).toBe((WAITING_MAX + 1) * 100);
  expect((await place()).status).toBe(201);
  await expectBooksToAgree(deps.pool);
});

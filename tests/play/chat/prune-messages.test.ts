import { expect, test } from "bun:test";
import { asc, sql } from "drizzle-orm";
import { messages } from "#db/schema/messages.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { deleteOldestRows } from "#src/base/delete-old-rows.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();
const [{ id: userId }, { id: sessionId }] = [await build.player(), await build.runningSession()];

/** Writes a message that is this many days old. */
async function write(body: string, ageDays: number): Promise<void> {
  const createdAt = sql<Date>`clock_timestamp() - make_interval(days => ${ageDays})`;
  await db.insert(messages).values({ sessionId, userId, clientId: body, body, createdAt });
}

const bodies = async () =>
  (await db.select({ body: messages.body }).from(messages).orderBy(asc(messages.id))).map(({ body }) => body);

test("chat messages are deleted after a year", async () => {
  for (const [body, ageDays] of [
    ["old", 366],
    ["in time", 364],
    ["new", 0],
  ] as const)
    await write(body, ageDays);
  await pruneTable(deps, messages);
  expect(await bodies()).toEqual(["in time", "new"]);
});

test("the oldest rows are deleted in batches, also behind one that must stay, and up to a batch that stays as a whole", async () => {
  await db.delete(messages);
  for (const body of ["a", "b", "stuck", "c", "d", "new", "newer", "newest", "not reached"])
    await write(body, ["stuck", "new", "newer", "newest"].includes(body) ? 1 : 10);
  const old = sql`created_at < clock_timestamp() - interval '5 days'`;
  await deleteOldestRows(db, { table: messages, old, batchSize: 2 });
  expect(await bodies()).toEqual(["stuck", "new", "newer", "newest", "not reached"]);
});

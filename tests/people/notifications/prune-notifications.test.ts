import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { notifications } from "#db/schema/notifications.ts";
import { pruneNotifications } from "#src/people/notifications/write-notifications.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { testDatabase } from "#tests/support/database.ts";

const KEPT = 200;
const DAY_MS = 86_400_000;

const database = await testDatabase();

test("pruning keeps each user's newest 200 of the last 90 days", async () => {
  const { db } = database.pool;
  const [busy, quiet] = [await buildPlayer(database), await buildPlayer(database)];
  const about = { kind: "announcement" as const, title: "News" };
  const old = { ...about, createdAt: new Date(Date.now() - 91 * DAY_MS) };
  const recent = { ...about, createdAt: new Date(Date.now() - 89 * DAY_MS) };
  await db
    .insert(notifications)
    .values([
      { ...old, userId: quiet.id },
      { ...recent, userId: quiet.id },
      ...Array.from({ length: KEPT + 3 }, () => ({ ...about, userId: busy.id })),
    ]);
  const idsOf = async (userId: number) => {
    const rows = await db.select().from(notifications).where(eq(notifications.userId, userId));
    return rows.map(({ id }) => id).toSorted((a, b) => a - b);
  };
  const before = [await idsOf(busy.id), await idsOf(quiet.id)] as const;
  await pruneNotifications(database);
  await pruneNotifications(database);
  expect([await idsOf(busy.id), await idsOf(quiet.id)]).toEqual([before[0].slice(3), before[1].slice(1)]);
});

import { expect, test } from "bun:test";
import * as v from "valibot";
import { notifications } from "#db/schema/notifications.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { notificationsAnswer } from "#src/people/notifications/schemas.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, client, db, read } = await testWorld();

/** A player with this many notifications; "Number 1" is the oldest. */
async function buildTold(count: number) {
  const player = await build.player();
  const rows = Array.from({ length: count }, (_, index) => ({
    userId: player.id,
    kind: "announcement" as const,
    title: `Number ${index + 1}`,
    body: "Something happened.",
    url: "/sessions",
  }));
  await writeNotifications(db, rows);
  return { player, visitor: await client(player) };
}

test("a player reads the newest 50, newest first, and the count of all unread", async () => {
  const { player, visitor } = await buildTold(53);
  const { status, body } = await visitor.get(`/api/v1/users/${player.id}/notifications`);
  expect(status).toBe(200);
  const { notifications: list, meta } = v.parse(notificationsAnswer, body);
  expect(list.map(({ title }) => title)).toEqual(
    Array.from({ length: 50 }, (_, index) => `Number ${53 - index}`),
  );
  expect(list[0]).toMatchObject({
    kind: "announcement",
    body: "Something happened.",
    url: "/sessions",
    readAt: null,
  });
  expect(meta).toMatchObject({ totalCount: 53, unreadCount: 53 });
  const few = await visitor.get(`/api/v1/users/${player.id}/notifications?limit=2`);
  expect(few.body).toMatchObject({ notifications: [{ title: "Number 53" }, { title: "Number 52" }] });
});

test("marking as read leaves newer notifications unread", async () => {
  const { player, visitor } = await buildTold(3);
  const seen = (await read.told(player.id))[1];
  const path = `/api/v1/users/${player.id}/notifications/read`;
  const { status, body } = await visitor.send("PUT", path, { notifications: { up_to_id: seen?.id } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    notifications: [{ readAt: null }, { readAt: expect.any(String) }, { readAt: expect.any(String) }],
    meta: { unreadCount: 1 },
  });
  const before = await read.told(player.id);
  await visitor.send("PUT", path, { notifications: { up_to_id: seen?.id } });
  expect(await read.told(player.id)).toEqual(before);
});

test("an id above the user's own marks nobody else's as read", async () => {
  const { player, visitor } = await buildTold(1);
  const other = await buildTold(1);
  const path = `/api/v1/users/${player.id}/notifications/read`;
  await visitor.send("PUT", path, { notifications: { up_to_id: Number.MAX_SAFE_INTEGER } });
  expect(await read.told(other.player.id)).toMatchObject([{ readAt: null }]);
});

const KEPT = 200;
const DAY_MS = 86_400_000;

test("pruning keeps each user's newest 200 of the last 90 days", async () => {
  const [busy, quiet] = [await build.player(), await build.player()];
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
    const rows = await read.told(userId);
    return rows.map(({ id }) => id).toSorted((a, b) => a - b);
  };
  const before = [await idsOf(busy.id), await idsOf(quiet.id)] as const;
  await pruneTable(deps, notifications);
  await pruneTable(deps, notifications);
  expect([await idsOf(busy.id), await idsOf(quiet.id)]).toEqual([before[0].slice(3), before[1].slice(1)]);
});

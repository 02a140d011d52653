import { expect, test } from "bun:test";
import * as v from "valibot";
import { writeIntegerArray, writeTextArray } from "#db/ledger/query.ts";
import { signIns } from "#db/schema/users.ts";
import { pageReadRow } from "#src/pages/page-read/page-read-row.ts";
import { askPageReads } from "#src/pages/page-read/page-read-statement.ts";
import { announce } from "#src/people/notifications/announce.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, timer, signIn } = await testWorld();

test("the rows of the statement are what their schema says, of a player, of an admin and of signed-out viewers", async () => {
  const [player, admin] = [await build.player(), await build.admin()];
  const session = await build.runningSession();
  for (const end of ["resolved", "open"] as const) {
    const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
    await build.call({ userId: player.id, eventId: event.id });
    if (end === "resolved") await timer.settle(event.id);
  }
  await announce(deps, { actor: admin, title: "Hello", body: "" });
  for (const user of [player, admin]) await signIn(user);
  const ids = (await db.select({ id: signIns.id }).from(signIns)).map(({ id }) => id);
  const rows = await askPageReads.game(deps.pool, {
    signInIds: writeTextArray([...ids, null, crypto.randomUUID()]),
    sessionIds: writeIntegerArray([session.id, session.id, session.id, null]),
    knownIds: writeIntegerArray([session.id]),
    lastEventIds: writeIntegerArray([1]),
    leaders: writeTextArray([writeIntegerArray([player.id])]),
  });
  expect(rows).toHaveLength(4);
  expect(rows.map((row) => v.is(pageReadRow, row))).toEqual([true, true, true, true]);
  expect(rows[0]).toMatchObject({ username: player.username });
  expect(rows[0]).toHaveProperty("calls.length", 2);
  expect(rows.map(({ sessions }) => sessions?.map(({ slug }) => slug) ?? null)).toEqual([
    [session.slug],
    null,
    null,
    null,
  ]);
});

import { expect, test } from "bun:test";
import { connectRedis } from "#src/base/redis.ts";
import { countPlayersOnline } from "#src/show/sessions/count-players-online.ts";
import { findSessionView } from "#src/show/sessions/find-session-views.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();

async function buildViews() {
  const made = [await buildSession(deps), await buildSession(deps)];
  const views = await Promise.all(made.map(({ id }) => findSessionView(deps.pool.db, id, null)));
  return views.filter((view) => view !== null);
}

test("each session has its own count; it is 0 without any presence", async () => {
  const [first, second] = await buildViews();
  if (first === undefined || second === undefined) throw new Error("two were made");
  await deps.redis.set(`presence:session:${second.id}`, 3);
  const counted = await countPlayersOnline(deps.redis, [first, second]);
  expect(counted.map(({ playersOnline }) => playersOnline)).toEqual([0, 3]);
  expect(await countPlayersOnline(deps.redis, [])).toEqual([]);
});

test("without Redis the sessions are listed with a count of 0", async () => {
  const views = await buildViews();
  const unreachable = connectRedis("redis://127.0.0.1:1", "commands");
  expect(await countPlayersOnline(unreachable, views)).toEqual(views);
  unreachable.disconnect();
});

import { expect, test } from "bun:test";
import { connectRedis } from "#src/base/redis.ts";
import { countPlayersOnline } from "#src/sessions/count-players-online.ts";
import { findSessionView } from "#src/sessions/find-session-views.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();

async function buildViews() {
  const made = [await buildSession(deps), await buildSession(deps)];
  const views = await Promise.all(made.map(({ id }) => findSessionView(deps.pool.db, id, null)));
  return views.filter((view) => view !== null);
}

test("each session has its own count, and 0 where nobody was counted", async () => {
  const [first, second] = await buildViews();
  if (first === undefined || second === undefined) throw new Error("two were made");
  await deps.redis.set(`presence:session:${second.id}`, 3);
  const counted = await countPlayersOnline(deps.redis, [first, second]);
  expect(counted.map(({ playersOnline }) => playersOnline)).toEqual([0, 3]);
  expect(await countPlayersOnline(deps.redis, [])).toEqual([]);
});

test("while Redis is away nobody is counted, and the sessions are still there", async () => {
  const views = await buildViews();
  const gone = connectRedis("redis://127.0.0.1:1", "commands");
  expect(await countPlayersOnline(gone, views)).toEqual(views);
  gone.disconnect();
});

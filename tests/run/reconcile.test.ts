import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { testWorld } from "#tests/support/world.ts";
import { runCommand } from "./command.ts";

const { deps, db, build, timer } = await testWorld();
const event = await build.event("open");
await build.call({ userId: (await build.player()).id, eventId: event.id });
await timer.settle(event.id);

const settings = { DATABASE_URL: deps.env.databaseUrl, DATA_DIR: deps.env.dataDir };
const reconcile = (...options: string[]) => runCommand(["reconcile", ...options], settings);

const agree = /^The books and the scores agree\.\nhead of seal \d+, [\dT:.-]+Z: ([0-9a-f]{64})\n$/;

test("bun run reconcile exits with 0 if everything agrees, else with 1 and the differences; --repair-scores repairs wrong scores, and --head compares with a head that was kept, also after more was booked", async () => {
  const first = await reconcile();
  expect(first).toEqual({ code: 0, output: expect.stringMatching(agree) });
  const head = agree.exec(first.output)?.[1] ?? "";
  await db.execute(sql`UPDATE scores SET wins = wins + 1`);
  expect(await reconcile("--head", head)).toEqual({
    code: 1,
    output: expect.stringMatching(/^scores that the calls do not say: 2\nhead /),
  });
  await build.player();
  const later = await reconcile("--repair-scores", "--head", head);
  expect(later).toEqual({ code: 0, output: expect.stringMatching(agree) });
  expect(agree.exec(later.output)?.[1]).not.toBe(head);
  const other = "0".repeat(64);
  expect(await reconcile("--head", other)).toEqual({
    code: 1,
    output: expect.stringContaining(`the seals do not have the head ${other}`),
  });
});

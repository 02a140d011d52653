import { expect, test } from "bun:test";
import { withLock } from "#src/base/lock.ts";
import { listDifferences } from "#tests/support/books.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startRedisSentinels } from "./redis-sentinel.ts";
import { openEvent, playDuring, startShow } from "./redis-show.ts";

const TEST_WITHIN_MS = 180_000;
const sentinels = await startRedisSentinels();
const show = await startShow(sentinels.url);
const { deps } = show;

/** Locks are of the new master again, and jobs are accepted. */
async function expectUse(): Promise<void> {
  await waitFor("a lock of the new master", () => withLock(deps, "event:1", async (fence) => fence !== null));
  await waitFor("a job to be accepted", () =>
    deps.queues.sendMail({ mailId: 999_999 }, 0).then(
      () => true,
      () => false,
    ),
  );
}

test(
  "a master is demoted while it runs: its clients go to the new one, and every call arrives",
  async () => {
    const { spotId } = await openEvent(show, 120_000);
    const { placed } = await playDuring(show, spotId, () => sentinels.switchMaster());
    expect(placed).toBeGreaterThan(0);
    await expectUse();
  },
  TEST_WITHIN_MS,
);

test(
  "the master is killed: the replica is promoted, and every call arrives",
  async () => {
    const { spotId } = await openEvent(show, 120_000);
    const before = await sentinels.masterPort();
    const { placed, backMs } = await playDuring(show, spotId, async () => {
      await sentinels.killMaster();
      // A message that was on its way may arrive after the kill, so players go on until the other one is the master.
      const isPromoted = async () => (await sentinels.masterPort()) !== before;
      await waitFor("the replica to be promoted", isPromoted, { withinMs: 60_000 });
    });
    expect(placed).toBeGreaterThan(0);
    expect(backMs).toBeLessThan(30_000);
    await expectUse();
  },
  TEST_WITHIN_MS,
);

test("a process that stops while all of Redis is away ends without an error", async () => {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  await sentinels.stop();
  // By then the lost connections are noticed, and all attempts to subscribe again have failed.
  await Bun.sleep(1_000);
  await show.stop();
  await Bun.sleep(500);
});

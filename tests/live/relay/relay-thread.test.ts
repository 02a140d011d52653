import { expect, test } from "bun:test";
import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import { startWebProcess, type WebProcess } from "#tests/faults/worker-process.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { listenToStreams } from "./stream-listener.ts";

const { deps, db, build, read, signIn } = await testWorld();
const listener = await listenToStreams(deps.env.redisUrl);
afterFile(() => listener.stop());

const countUnsent = () => db.$count(outbox, isNull(outbox.sentAt));

/** A player who places calls over HTTP. `placed` returns the ids of the calls. */
async function buildPlacer() {
  const player = await build.player();
  const credentials = await signIn(player);
  const spotId = (await read.spots((await build.event("open")).id)).true.id;
  const place = async ({ origin }: WebProcess) => {
    const response = await fetch(`${origin}/api/v1/calls`, {
      method: "POST",
      headers: { ...credentials, accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
    });
    const answer: { call: { id: number } } = await response.json();
    return answer.call.id;
  };
  const broadcastIds = () =>
    listener
      .user(player.id)
      .flatMap((message) =>
        message.sourceType === "Call" && "call" in message.detail ? [message.detail.call.id] : [],
      );
  return { place, broadcastIds };
}

test("a web process broadcasts the calls that it places, once and in their order, and at SIGTERM what it has placed before", async () => {
  const web = await startWebProcess(deps);
  const { place, broadcastIds } = await buildPlacer();
  const placed: number[] = [];
  for (let count = 0; count < 20; count += 1) placed.push(await place(web));
  await untilPasses(() => expect(broadcastIds()).toEqual(placed));
  const last = await Promise.all(Array.from({ length: 20 }, () => place(web)));
  expect(await web.stop()).toBe(0);
  expect(await countUnsent()).toBe(0);
  placed.push(...last.toSorted((one, other) => one - other));
  await untilPasses(() => expect(broadcastIds()).toEqual(placed));
});

test("what a killed process has placed is broadcast by the next one, in its order", async () => {
  const web = await startWebProcess(deps);
  const { place, broadcastIds } = await buildPlacer();
  const placed = await Promise.all(Array.from({ length: 20 }, () => place(web)));
  await web.kill();
  const next = await startWebProcess(deps);
  await waitFor("the outbox to be empty", async () => (await countUnsent()) === 0);
  await waitFor("all messages", () => new Set(broadcastIds()).size >= placed.length);
  // What was broadcast and not yet marked comes again: at least once, and never out of order.
  const once = broadcastIds().filter((id, index, all) => all.indexOf(id) === index);
  expect(once).toEqual(placed.toSorted((one, other) => one - other));
  expect(await next.stop()).toBe(0);
});

import { beforeEach, expect, test } from "bun:test";
import { testWorld } from "#tests/support/world.ts";
import { stageShows } from "./stage-shows.ts";

const { buildShow, host, clockAt, nextOf, opensIn, resolve, runOf, runUntil } = await stageShows(
  await testWorld(),
);

beforeEach(() => clockAt(0));

test("after the result: an event has no time until the one before it is resolved; then it opens after its wait", async () => {
  const { sessionId, a } = await buildShow([["after_previous", 0], "after_result", "after_previous"]);
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
  expect((await nextOf(sessionId)).slice(1)).toEqual([
    ["publish_event", null],
    ["publish_event", null],
  ]);
  await runUntil(200);
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
  await resolve(a);
  expect(await opensIn(sessionId)).toEqual([0, 208, 236]);
  expect((await nextOf(sessionId)).slice(1)).toEqual([
    ["publish_event", 203],
    ["publish_event", 231],
  ]);
  await runUntil(215);
  expect((await runOf(sessionId)).map(({ state }) => state)).toEqual(["resolved", "open", "draft"]);
});

test("what the event before goes through: a pending result starts nothing: it may be replaced or withdrawn until it is paid", async () => {
  const show = [["after_previous", 0], "after_result"] as const;
  const { sessionId, a } = await buildShow(show, { settlementDelaySeconds: 5 });
  await runUntil(20);
  await resolve(a);
  expect(await opensIn(sessionId)).toEqual([0, null]);
  await runUntil(24);
  await host.withdraw(a);
  await runUntil(60);
  expect(await opensIn(sessionId)).toEqual([0, null]);
  await resolve(a);
  await runUntil(64);
  expect(await opensIn(sessionId)).toEqual([0, null]);
  await runUntil(65);
  expect(await opensIn(sessionId)).toEqual([0, 73]);
});

test("an event that leaves the show: a hidden or destroyed event is not waited for", async () => {
  const { sessionId, a, b, c } = await buildShow([
    ["after_previous", 0],
    "by_hand",
    "by_hand",
    "after_result",
  ]);
  await runUntil(20);
  await resolve(a);
  await host.publish(b);
  await host.hide(b);
  expect(await opensIn(sessionId)).toEqual([0, null, null, null]);
  await host.destroy(c);
  expect(await opensIn(sessionId)).toEqual([0, null, null, 28]);
});

test("a result and a publishing at the same time lose nothing", async () => {
  const { sessionId, a, b } = await buildShow([["after_previous", 0], "after_result"]);
  await runUntil(20);
  await Promise.all([resolve(a), host.publish(b)]);
  expect((await runOf(sessionId))[1]).toMatchObject({ state: "visible", nextTransition: "open_event" });
  expect((await nextOf(sessionId))[1]).toEqual(["open_event", 28]);
});

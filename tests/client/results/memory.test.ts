import { expect, test } from "bun:test";
import { type Memory, recall, store } from "#client/results/memory.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());
afterTest(() => localStorage.clear());

const ana = { viewerId: 7, sessionId: 1 };
const memory: Memory = {
  results: new Map([
    [1, { openedAtMs: 7, result: "true", netCents: 304, beforeCents: null }],
    [2, { openedAtMs: 8, result: "void", netCents: null, beforeCents: null }],
    [3, { openedAtMs: 9, result: "false", netCents: -500, beforeCents: 833 }],
  ]),
  notificationId: 12,
};

test("a device remembers what it has shown, for each player and session", () => {
  store(ana, memory);
  expect(recall(ana)).toEqual(memory);
  expect(recall({ ...ana, viewerId: 8 })).toBeNull();
  expect(recall({ ...ana, sessionId: 2 })).toBeNull();
});

test("only the last sessions and the newest results are kept", () => {
  const many = new Map(
    Array.from(
      { length: 500 },
      (_, id) => [id, { openedAtMs: 7, result: "true", netCents: 1, beforeCents: null }] as const,
    ),
  );
  for (let sessionId = 1; sessionId <= 9; sessionId += 1) {
    store({ viewerId: 7, sessionId }, { results: many, notificationId: 0 });
  }
  expect(recall({ viewerId: 7, sessionId: 4 })).toBeNull();
  const kept = [...(recall({ viewerId: 7, sessionId: 9 })?.results.keys() ?? [])];
  expect([kept.length < 200, kept.at(-1)]).toEqual([true, 499]);
  expect(localStorage.getItem("told")?.length).toBeLessThan(20_000);
});

test("what this code did not write is ignored", () => {
  for (const text of ["{", "7", "[null]", '[{"viewerId":7,"sessionId":1,"notificationId":0,"rows":[1]}]']) {
    localStorage.setItem("told", text);
    expect(recall(ana)).toBeNull();
  }
  store(ana, memory);
  expect(recall(ana)).toEqual(memory);
});

import { describe, expect, test } from "bun:test";
import { nameBoardOf } from "#client/screens/stage/lobby.tsx";
import { sceneAt } from "#client/screens/stage/stage-screen.tsx";
import { widthOf } from "#client/screens/stage/text-width.ts";
import { presentScore } from "#src/play/leaderboard/find-scores.ts";
import { buildActionState, buildEvent, inSeconds } from "#tests/client/events/action-states.ts";

const crowd = (count: number, name: (index: number) => string = (index) => `player_${index}`) =>
  Array.from({ length: count }, (_, index) => ({
    userId: index + 1,
    username: name(index),
    picture: null,
  }));
const idsOn = (pages: ReturnType<typeof nameBoardOf>["pages"]) => pages.flat().map(({ userId }) => userId);

test("three names are large, forty smaller, and three hundred come page by page, each once and in order", () => {
  expect(nameBoardOf([])).toEqual({ size: "large", pages: [], newest: [] });
  expect(nameBoardOf(crowd(3)).size).toBe("large");
  expect(nameBoardOf(crowd(11)).size).toBe("medium");
  const { size, pages, newest } = nameBoardOf(crowd(300));
  expect(size).toBe("small");
  expect(pages.length).toBeGreaterThan(1);
  expect(idsOn(pages)).toEqual(crowd(300).map(({ userId }) => userId));
  expect(newest[0]?.userId).toBe(300);
});

test("a newcomer moves nobody: the pages before stay as they are", () => {
  const before = nameBoardOf(crowd(120)).pages;
  const after = nameBoardOf(crowd(121)).pages;
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(idsOn(after).slice(0, 120)).toEqual(idsOn(before));
});

test("the longest names are on rows of their own, and emoji, Chinese and vowel signs count as wide as they are", () => {
  const long = nameBoardOf(crowd(12, () => "W".repeat(20)));
  expect(long.size).toBe("small");
  expect(widthOf("先制点")).toBeGreaterThan(widthOf("aaa") * 1.5);
  expect(widthOf("\u{1F3C6}\u{1F3C6}")).toBeGreaterThan(2);
  expect(widthOf("e\u0301")).toBe(widthOf("e"));
});

describe("the scene", () => {
  const resolved = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(0) });
  const visible = buildEvent({ id: 2, state: "visible", opensAt: inSeconds(60) });
  const at = (seconds: number) => Date.parse(inSeconds(seconds));
  const sums = {
    played: 1,
    wins: 1,
    losses: 0,
    netCents: 100,
    wageredCents: 100,
    currentStreak: 1,
    bestStreak: 1,
  };
  const player = { userId: 1, username: "ana", avatar: null };
  const leader = presentScore({ ...player, ...sums, rank: 1, sharedBy: 1, previousRank: null }, 1);

  test("is the result for a while, then the leaders, and the next question before it opens", () => {
    const state = { ...buildActionState([resolved, visible]) };
    const withLeaders = { ...state, leaders: [leader] };
    const result = { event: resolved, phase: "resolved" } as const;
    expect(sceneAt(withLeaders, result, at(1))).toBe("result");
    expect(sceneAt(withLeaders, result, at(16))).toBe("between");
    const next = { event: visible, phase: "visible" } as const;
    expect(sceneAt(withLeaders, next, at(20))).toBe("between");
    expect(sceneAt(withLeaders, next, at(56))).toBe("question");
    // Without leaders there is nothing to show but the question.
    expect(sceneAt(state, next, at(20))).toBe("question");
  });

  test("is the lobby before the start and the end after it", () => {
    const state = buildActionState([]);
    expect(sceneAt(state, { event: null, phase: "pending" }, at(0))).toBe("lobby");
    expect(sceneAt(state, { event: null, phase: "waiting" }, at(0))).toBe("between");
    expect(sceneAt(state, { event: null, phase: "stopped" }, at(0))).toBe("end");
  });
});

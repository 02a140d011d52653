import { expect, test } from "bun:test";
import { formatRank, placeOf, rankChangeText, rankNews } from "#client/leaderboard/rank-texts.ts";
import { rankMove, rankMoveIn } from "#client/results/rank-move.ts";
import { liveWordsAt } from "#client/screens/action/phone/live-line.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import {
  buildActionState,
  buildEvent,
  buildScore,
  inSeconds,
  NOW_MS,
} from "#tests/client/events/action-states.ts";

const rain = (changes: Partial<EventView>) => buildEvent({ title: "Rain?", ...changes });
const words = (events: EventView[], session: Partial<SessionView> = {}) =>
  liveWordsAt(buildActionState(events, { state: "running", ...session }), NOW_MS);

test.each([
  ["when an action opens", rain({ state: "visible", opensAt: inSeconds(12) }), "Opens in 0:12"],
  ["when it closes", rain({ state: "open", closesAt: inSeconds(72) }), "Closes in 1:12"],
  ["tenths before the close", rain({ state: "open", closesAt: inSeconds(4.2) }), "Closes in 4.2"],
  ["that it is closing", rain({ state: "open", closesAt: inSeconds(-1) }), "Closing"],
  ["that it is closed", rain({ state: "closed", closedAt: inSeconds(-1) }), "Calls are closed"],
  [
    "its result",
    rain({ state: "resolved", result: true, trueLabel: "Yes", resolvedAt: inSeconds(-1) }),
    "Result: Yes",
  ],
])("a line about the game says %s", (_, event, expected) => {
  expect(words([event])).toMatchObject({ title: "Rain?", words: expected });
});

test("a line about the game says how the session stands where there is no action", () => {
  expect(words([], { name: "Derby" })).toEqual({
    title: "Derby",
    words: "The next question is on its way",
    closing: false,
  });
  expect(words([], { state: "pending" }).words).toBe("Not started yet");
  expect(words([], { state: "stopped" }).words).toBe("This session is over");
  expect(words([], { state: "paused" }).words).toBe("Paused by the host");
});

test("a line about the game says which are the last seconds", () => {
  const closing = (seconds: number) => words([rain({ state: "open", closesAt: inSeconds(seconds) })]).closing;
  expect([closing(6), closing(4), closing(-1)]).toEqual([false, true, true]);
});

test("a shared rank has a sign, and a change of the rank is said in words", () => {
  expect([formatRank({ rank: 3, tied: true }), formatRank({ rank: 3, tied: false })]).toEqual(["=3", "3"]);
  expect([2, -1, 0, null].map(rankChangeText)).toEqual(["up 2", "down 1", "same", "new"]);
});

test("the ticker says what a result did to the viewer's rank", () => {
  const after = (rankChange: number | null) => rankNews({ rank: 3, tied: true, rankChange }, 1_200);
  expect(after(2)).toBe(" You moved up to joint 3rd of 1,200.");
  expect(after(-1)).toBe(" You are joint 3rd of 1,200 now.");
  expect(after(null)).toBe(" You are joint 3rd of 1,200.");
  expect([after(0), rankNews(null, 3)]).toEqual(["", ""]);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [21, "21st"],
  [111, "111th"],
  [122, "122nd"],
])("rank %i is said as %s of all", (rank, said) => {
  expect(placeOf({ rank, tied: false }, 200)).toBe(`${said} of 200`);
});

test("between two questions the viewer reads how the own rank has moved, and who was ahead and is behind now, and nobody else", () => {
  const player = (username: string, rank: number, rankChange: number | null) => ({
    userId: rank,
    username,
    rank,
    rankChange,
    tied: false,
  });
  const zed = player("Zed", 3, -1);
  const ana = player("Ana", 4, -1);
  const moveOf = (rank: number, change: number | null, ...known: ReturnType<typeof player>[]) =>
    rankMove(player("Me", rank, change), known, known.length);
  expect(moveOf(2, 3, player("Top", 1, 0), zed, ana)).toBe("5th → 2nd, passed Zed and 1 more");
  expect(moveOf(2, 1, zed)).toBe("3rd → 2nd, passed Zed");
  expect(moveOf(2, 3, player("Top", 1, 0), player("Late", 4, 2), player("New", 3, null))).toBe("5th → 2nd");
  expect(moveOf(3, -2, zed)).toBe("1st → 3rd");
  expect([moveOf(3, 0, zed), moveOf(3, null, zed)]).toEqual(["", ""]);
});

test("of more players than the page knows nobody is told how many were passed, unless it knows them all", () => {
  const others = [3, 4, 5].map((rank) =>
    buildScore({ userId: rank, username: `p${rank}`, rank, rankChange: -1 }),
  );
  const me = (rankChange: number) => buildScore({ userId: 9, rank: 2, rankChange });
  expect(rankMove(me(10), others, 200)).toBe("12th → 2nd, passed p3 and others");
  expect(rankMove(me(3), others, 200)).toBe("5th → 2nd, passed p3 and 2 more");
});

test("the row of the slip says how the result on the card has moved the viewer, once the ranking with it is known", () => {
  const me = { ...buildScore({ userId: 7, username: "Me" }), rank: 1, rankChange: 1 };
  const over = buildEvent({ state: "resolved", result: true, resolvedAt: inSeconds(-2) });
  const told = (meAsOf: string) =>
    rankMoveIn({
      event: over,
      phase: "resolved",
      state: { ...buildActionState([over]), me, leaders: [me], playersCount: 2, meAsOf },
    });
  expect(told(inSeconds(-3))).toBe("");
  expect(told(inSeconds(-1))).toBe("2nd → 1st");
});

import { describe, expect, test } from "bun:test";
import { formatRank, rankChangeText, rankNews } from "#client/leaderboard/rank-texts.ts";
import { liveWordsAt } from "#client/screens/action/phone/live-line.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { buildActionState, buildEvent, inSeconds, NOW_MS } from "#tests/client/events/action-states.ts";

const rain = (changes: Partial<EventView>) => buildEvent({ title: "Rain?", ...changes });
const words = (events: EventView[], session: Partial<SessionView> = {}) =>
  liveWordsAt(buildActionState(events, { state: "running", ...session }), NOW_MS);

describe("a line about the game says", () => {
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
  ])("%s", (_, event, expected) => {
    expect(words([event])).toMatchObject({ title: "Rain?", words: expected });
  });

  test("how the session stands where there is no action", () => {
    expect(words([], { name: "Derby" })).toEqual({
      title: "Derby",
      words: "The next question is on its way",
      closing: false,
    });
    expect(words([], { state: "pending" }).words).toBe("Not started yet");
    expect(words([], { state: "stopped" }).words).toBe("This session is over");
    expect(words([], { state: "paused" }).words).toBe("Paused by the host");
  });

  test("which are the last seconds", () => {
    const closing = (seconds: number) =>
      words([rain({ state: "open", closesAt: inSeconds(seconds) })]).closing;
    expect([closing(6), closing(4), closing(-1)]).toEqual([false, true, true]);
  });
});

test("a shared rank has a sign", () => {
  expect([formatRank({ rank: 3, tied: true }), formatRank({ rank: 3, tied: false })]).toEqual(["=3", "3"]);
});

test("a change of the rank is said in words", () => {
  expect([2, -1, 0, null].map(rankChangeText)).toEqual(["up 2", "down 1", "same", "new"]);
});

test("the ticker says what a result did to the viewer's rank", () => {
  const after = (rankChange: number | null) => rankNews({ rank: 3, tied: true, rankChange });
  expect(after(2)).toBe(" You moved up to =3.");
  expect(after(-1)).toBe(" You are =3 now.");
  expect(after(null)).toBe(" You are =3.");
  expect([after(0), rankNews(null)]).toEqual(["", ""]);
});

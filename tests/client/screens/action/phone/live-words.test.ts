import { describe, expect, test } from "bun:test";
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

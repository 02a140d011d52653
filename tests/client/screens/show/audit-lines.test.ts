import { expect, test } from "bun:test";
import { describeLine } from "#client/running-order/describe-line.ts";
import { inSeconds } from "#tests/client/events/action-states.ts";

test("an audit line says who did what, also for acts of the clock", () => {
  const line = {
    id: 1,
    actor: { id: 7, username: "ana", token: null },
    action: "resolve",
    subject: { type: "event" as const, id: 1, title: "Question 1" },
    before: {},
    after: { state: "resolved", result: "true" },
    reason: null,
    at: inSeconds(0),
  };
  expect(describeLine(line)).toBe("ana resolved as true");
  expect(describeLine({ ...line, actor: { ...line.actor, token: "Scoreboard" } })).toBe(
    "ana (Scoreboard) resolved as true",
  );
  expect(describeLine({ ...line, actor: null, action: "close_event" })).toBe("The clock closed");
  expect(describeLine({ ...line, action: "delay", after: { shiftMs: -10_000 } })).toBe(
    "ana delayed by -0:10",
  );
  const tookBack = { state: "paused", takenBackCents: 150 };
  expect(describeLine({ ...line, action: "pause", after: tookBack })).toBe(
    "ana paused the session (own calls of $1.50 taken back)",
  );
  expect(describeLine({ ...line, action: "grow_wings" })).toBe("ana grow wings");
});

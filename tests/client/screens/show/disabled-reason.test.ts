import { expect, test } from "bun:test";
import {
  disabledReasonForAct,
  disabledReasonForMove,
  disabledReasonForRetiming,
  disabledReasonForSessionMove,
} from "#client/screens/show/disabled-reason.ts";
import { buildCall, buildEvent, buildSession } from "#tests/client/events/action-states.ts";

test("the reason on Pause and Stop is the viewer's own call on an open action, for ending all calling outside a small room", () => {
  const session = buildSession();
  const staked = buildEvent({ state: "open", myCalls: [buildCall()] });
  const free = buildEvent({ id: 2, state: "open", myCalls: [buildCall({ state: "soft_destroyed" })] });
  const why = "You have a call on an open action. Somebody else must do this, or it must close first.";
  for (const name of ["pause", "stop"] as const) {
    expect(disabledReasonForSessionMove(session, [free, staked], name)).toBe(why);
    expect(disabledReasonForSessionMove(session, [free, { ...staked, state: "closed" }], name)).toBeNull();
    const small = buildSession({ settings: { ...session.settings, smallRoom: true } });
    expect(disabledReasonForSessionMove(small, [staked], name)).toBeNull();
  }
  expect(disabledReasonForSessionMove(buildSession({ state: "paused" }), [staked], "stop")).toBe(why);
  expect(disabledReasonForSessionMove(buildSession({ state: "paused" }), [staked], "resume")).toBeNull();
});

test("the reason on a button is the viewer's own call, for deciding the event outside a small room", () => {
  const session = buildSession();
  const staked = buildEvent({ state: "closed", myCalls: [buildCall()] });
  const why = "You have a call on it. Somebody else must do this.";
  expect(disabledReasonForMove(session, staked, "resolve")).toBe(why);
  expect(disabledReasonForMove(session, staked, "reset")).toBe(why);
  expect(disabledReasonForAct(session, staked, "skip")).toBe(why);
  const open = { ...staked, state: "open" as const };
  expect(disabledReasonForMove(session, open, "close_event")).toBe(why);
  expect(disabledReasonForAct(session, open, "advance")).toBe(why);
  expect(disabledReasonForAct(session, open, "delay")).toBe(why);
  expect(disabledReasonForRetiming(session, open)).toBe(why);
  const small = buildSession({ settings: { ...session.settings, smallRoom: true } });
  expect(disabledReasonForMove(small, staked, "resolve")).toBeNull();
  const cancelled = buildEvent({ state: "closed", myCalls: [buildCall({ state: "soft_destroyed" })] });
  expect(disabledReasonForMove(session, cancelled, "resolve")).toBeNull();
});

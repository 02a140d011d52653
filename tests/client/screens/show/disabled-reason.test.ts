import { expect, test } from "bun:test";
import { takesBackOwn } from "#client/running-order/show-texts.ts";
import {
  disabledReasonForAct,
  disabledReasonForMove,
  disabledReasonForRetiming,
  disabledReasonForSessionMove,
} from "#client/screens/show/disabled-reason.ts";
import { heldOn, takenBackAt } from "#client/screens/show/own-calls.ts";
import { buildCall, buildEvent, buildSession, inSeconds } from "#tests/client/events/action-states.ts";

test("Pause, Stop and Skip are offered also to who has a call, and say what comes back", () => {
  const session = buildSession();
  const own = (terms = {}) => buildCall({ state: "placed", wagerCents: 150, ...terms });
  const open = buildEvent({
    state: "open",
    closesAt: inSeconds(60),
    myCalls: [own(), own({ side: "false" })],
  });
  for (const name of ["pause", "stop"] as const)
    expect(disabledReasonForSessionMove(session, name)).toBeNull();
  for (const state of ["open", "closed"] as const)
    expect(disabledReasonForAct(session, { ...open, state }, "skip")).toBeNull();
  const backAt = (events: (typeof open)[], terms = {}, nowMs = Date.parse(inSeconds(0))) =>
    takenBackAt({ ...session, ...terms }, events, nowMs);
  expect(backAt([open, { ...open, id: 2, myCalls: [own({ state: "soft_destroyed" })] }])).toEqual({
    callsCount: 2,
    cents: 300,
  });
  const none = { callsCount: 0, cents: 0 };
  expect(backAt([{ ...open, state: "closed" }])).toEqual(none);
  expect(backAt([open], { settings: { ...session.settings, smallRoom: true } })).toEqual(none);
  // As far as a player may take back a call.
  expect(backAt([open], {}, Date.parse(inSeconds(56)))).toEqual(none);
  const placedAt = inSeconds(-20);
  const held = { ...open, myCalls: [own({ placedAt }), own({ placedAt: inSeconds(-5) })] };
  expect(backAt([held], { state: "paused", pausedAt: inSeconds(0) })).toEqual({ callsCount: 1, cents: 150 });
  expect(heldOn({ ...open, state: "closed" })).toEqual({ callsCount: 2, cents: 300 });
  expect(heldOn({ ...open, myCalls: [own({ state: "soft_destroyed" })] })).toEqual(none);
  expect([takesBackOwn(1, 100), takesBackOwn(2, 300)]).toEqual([
    "Your call of $1.00 is taken back.",
    "Your 2 calls of $3.00 are taken back.",
  ]);
});

test("the reason on a button is the viewer's own call, for deciding the event outside a small room", () => {
  const session = buildSession();
  const staked = buildEvent({ state: "closed", myCalls: [buildCall()] });
  const why = "You have a call on it. Somebody else must do this.";
  expect(disabledReasonForMove(session, staked, "resolve")).toBe(why);
  expect(disabledReasonForMove(session, staked, "reset")).toBe(why);
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

import { expect, test } from "bun:test";
import { listNext } from "#client/screens/show/health/next-transitions.tsx";
import type { EventPlan } from "#src/show/events/schemas.ts";
import { buildEvent, buildPlan, inSeconds } from "#tests/client/events/action-states.ts";

const timed = (id: number, given: Partial<EventPlan>) => buildEvent({ id, plan: buildPlan(given) });

test("the next transitions are in the order of their times, with the number in the running order", () => {
  const close = timed(7, { nextTransition: "close_event", dueAt: inSeconds(20) });
  const show = timed(8, { nextTransition: "publish_event", dueAt: inSeconds(5) });
  expect(
    listNext([buildEvent({ id: 6, plan: buildPlan() }), close, show]).map(({ event, number }) => [
      event.id,
      number,
    ]),
  ).toEqual([
    [8, 3],
    [7, 2],
  ]);
});

test("what waits for a result or for the host has no time, and is not next", () => {
  expect(listNext([timed(1, { nextTransition: "publish_event" }), buildEvent({ plan: null })])).toEqual([]);
});

test("while the session is paused they are in the order of what is left", () => {
  const later = timed(1, { nextTransition: "close_event", remainingMs: 9_000 });
  const sooner = timed(2, { nextTransition: "open_event", remainingMs: 4_000 });
  expect(listNext([later, sooner]).map(({ event, remainingMs }) => [event.id, remainingMs])).toEqual([
    [2, 4_000],
    [1, 9_000],
  ]);
});

import { beforeEach, expect, test } from "bun:test";
import { act, useLayoutEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type Arming, type News, useArming } from "#client/screens/show/arming/use-arming.ts";
import { keyOf } from "#client/screens/show/use-acting.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import {
  buildCall,
  buildEvent,
  buildPlan,
  buildSession,
  inSeconds,
} from "#tests/client/events/action-states.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());

let root: Root;
/** What the hook has returned last. */
const latest: { arming: Arming | null } = { arming: null };
beforeEach(() => {
  root = createRoot(document.createElement("div"));
});
afterTest(() => act(() => root.unmount()));

const session = buildSession();
type Known = { events: readonly EventView[]; busy: ReadonlySet<string> };

function Room({ events, busy }: Known) {
  const arming = useArming({ session, events, busy }, events[0] ?? null);
  useLayoutEffect(() => {
    latest.arming = arming;
  });
  return null;
}

function now(): Arming {
  if (latest.arming === null) throw new Error("Nothing is rendered yet.");
  return latest.arming;
}

/** The page learns of these events. */
function know(events: readonly EventView[], ...busy: readonly string[]): void {
  act(() => root.render(<Room events={events} busy={new Set(busy)} />));
}

const undecided = { pendingResult: null, result: null, voided: false } as const;
const closed = (version: number, changes: Partial<EventView> = {}) =>
  buildEvent({ state: "closed", plan: buildPlan(), ...undecided, version, ...changes });
const open = (version: number) => closed(version, { state: "open" });
/** Somebody has just called it True. */
const decided = (version: number) =>
  closed(version, {
    pendingResult: true,
    plan: buildPlan({ decided: { at: inSeconds(0), byId: 2, effectiveAt: null } }),
  });

function arm(event: EventView, what: "false" | "skip" = "false"): void {
  know([event]);
  act(() => now().arm(event, what));
  expect(now().armed).toMatchObject({ act: what, version: event.version });
}

/** Over for good, and the page says why. */
const over = (why: News["why"]) => ({ armed: null, news: { eventId: 1, why } });

const staked = { ...open(8), myCalls: [buildCall({ state: "placed" })] };

/** What was armed, and what the page learns after it, step by step. */
const ends: [why: News["why"], armed: EventView, ...learned: EventView[]][] = [
  // Also when the other host takes the result back.
  ["decided", closed(5), decided(6), closed(7)],
  // The page only learns that the event has changed twice.
  ["changed", closed(5), closed(7)],
  ["reset", closed(5), closed(6, { state: "draft" }), open(9), closed(10)],
  // Another host has shown it again.
  ["skipped", open(5), closed(6, { state: "hidden" }), closed(7, { state: "visible" })],
  ["takenBack", decided(6), closed(7)],
  ["staked", open(8), staked],
];

test.each(ends)("what is armed is over for good, with the reason: %s", (why, armed, ...learned) => {
  arm(armed, why === "skipped" ? "skip" : "false");
  for (const event of learned) {
    know([event]);
    expect(now()).toMatchObject(over(why));
  }
});

test("it is over when the event has left the list, and stays so", () => {
  arm(closed(5));
  know([]);
  know([closed(5)]);
  expect(now()).toMatchObject(over("gone"));
});

test("the close and a delay keep it armed, for the version after them", () => {
  arm(open(5));
  know([open(6)]);
  expect(now().armed).toMatchObject({ version: 6 });
  know([closed(7)]);
  expect(now()).toMatchObject({ armed: { act: "false", version: 7 }, news: null });
});

test("calls change no version, and keep it armed", () => {
  arm(open(5));
  know([{ ...open(5), callsCount: 40 }]);
  expect(now()).toMatchObject({ armed: { version: 5, event: { callsCount: 40 } } });
});

test("what comes of the viewer's own act is not told as the work of others", () => {
  arm(closed(5));
  know([closed(5)], keyOf("resolve", 1));
  know([decided(6)], keyOf("resolve", 1));
  expect(now()).toMatchObject({ armed: null, news: null });
  act(() => now().done({ event: closed(5), act: "false", version: 5 }));
  know([decided(6)]);
  expect(now()).toMatchObject({ armed: null, news: null, lost: 0 });
});

test("what is armed while another act is sent stays when that one is done", () => {
  arm(closed(5));
  const other = closed(3, { id: 2 });
  know([closed(5), other], keyOf("resolve", 1));
  act(() => now().arm(other, "true"));
  act(() => now().done({ event: closed(5), act: "false", version: 5 }));
  expect(now()).toMatchObject({ armed: { event: { id: 2 }, act: "true" } });
});

test("an act that was refused because another host was first is over", () => {
  arm(closed(5));
  know([decided(6)], keyOf("resolve", 1));
  know([decided(6)]);
  know([closed(7)]);
  expect(now()).toMatchObject(over("decided"));
});

test("it can be armed again, for the new version", () => {
  arm(closed(5));
  know([closed(7)]);
  act(() => now().arm(closed(7), "true"));
  expect(now()).toMatchObject({ armed: { act: "true", version: 7 }, news: null });
});

test("a row that another host has decided is chosen no more, also when its result is taken back", () => {
  const other = closed(3, { id: 2 });
  know([open(1), other]);
  act(() => now().select(other));
  expect(now().target).toMatchObject({ id: 2 });
  know([open(1), { ...decided(4), id: 2 }]);
  expect(now()).toMatchObject({ selected: null, target: { id: 1 }, lost: 1 });
  know([open(1), closed(5, { id: 2 })]);
  expect(now()).toMatchObject({ selected: null, target: { id: 1 }, lost: 1 });
});

import { beforeEach, expect, test } from "bun:test";
import { act, useLayoutEffect, useRef } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type Acting, keyOf } from "#client/screens/show/running/use-acting.ts";
import {
  type Arming,
  DISARM_AFTER_MS,
  type EarlyUndo,
  letArmedStay,
  type News,
  useArming,
  useArmingCountdown,
  useEarlyUndo,
} from "#client/screens/show/running/use-arming.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
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
let page: HTMLElement;
let sent: string[];
beforeEach(() => {
  sent = [];
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
});
afterTest(() => {
  letArmedStay(false);
  act(() => root.unmount());
  page.remove();
});

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

/** What the hook has returned last: the seconds until it disarms, or null where it stays armed. */
const latestCountdown: { leftS: number | null } = { leftS: 0 };
const renderedAt = new Date().toISOString();

const disarm = () => undefined;

function Form({ isHeld }: { isHeld: boolean }) {
  const section = useRef<HTMLElement>(null);
  const leftS = useArmingCountdown(section, { disarm, renderedAt, isHeld });
  useLayoutEffect(() => {
    latestCountdown.leftS = leftS;
  });
  return (
    <section ref={section} tabIndex={-1}>
      <input />
    </section>
  );
}

const armForm = (isHeld = false) => act(() => root.render(<Form isHeld={isHeld} />));
const part = (selector: string): HTMLElement => {
  const found = page.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector}.`);
  return found;
};
const point = (type: string, movementX: number) =>
  act(() => void part("section").dispatchEvent(new PointerEvent(type, { movementX })));

function expectTime(): void {
  expect(latestCountdown.leftS).toBeGreaterThan(0);
  expect(latestCountdown.leftS).toBeLessThanOrEqual(DISARM_AFTER_MS / 1_000);
}

test("what is armed has eight seconds, and no end where the host has set that it stays", () => {
  armForm();
  expectTime();
  act(() => root.unmount());
  letArmedStay(true);
  root = createRoot(page);
  armForm();
  expect(latestCountdown.leftS).toBeNull();
});

test("it stays armed while a part of its form has the focus, not the form itself, and under a pointer that was moved into it, not at rest", () => {
  armForm();
  act(() => part("section").focus());
  expectTime();
  act(() => part("input").focus());
  expect(latestCountdown.leftS).toBeNull();
  act(() => part("section").focus());
  expectTime();
  armForm();
  point("pointermove", 0);
  expectTime();
  point("pointermove", 3);
  expect(latestCountdown.leftS).toBeNull();
  point("pointerleave", 3);
  expectTime();
});

test("it stays armed while it is sent, and has its whole time again when that fails", () => {
  armForm();
  armForm(true);
  expect(latestCountdown.leftS).toBeNull();
  armForm(false);
  expect(latestCountdown.leftS).toBe(DISARM_AFTER_MS / 1_000);
});

const latestUndo: { undo: EarlyUndo | null } = { undo: null };

const send: Acting["act"] = (form) => {
  const { intent, eventId, version } = readForm(form, { intent: "text", eventId: "text", version: "text" });
  sent.push(`${intent} ${eventId} ${version}`);
  return Promise.resolve(true);
};

function UndoRoom({ event, acting }: { event: EventView; acting: Acting }) {
  const undo = useEarlyUndo({ events: [event], viewerId }, acting);
  useLayoutEffect(() => {
    latestUndo.undo = undo;
  });
  return null;
}

const idle: Acting = { busy: new Set(), refusal: null, isUnanswered: false, answersAgain: false, act: send };
const sending: Acting = { ...idle, busy: new Set([keyOf("resolve", 1)]) };
const learn = (event: EventView, acting: Acting) =>
  act(() => root.render(<UndoRoom event={event} acting={acting} />));
const closedEvent = buildEvent({ state: "closed", version: 5 });
const decidedBy = (byId: number) => buildPlan({ decided: { at: inSeconds(0), byId, effectiveAt: null } });
const pendingBy = (byId: number) =>
  buildEvent({ state: "closed", pendingResult: true, version: 6, plan: decidedBy(byId) });
const viewerId = 7;
const pending = pendingBy(viewerId);
const paid = buildEvent({ state: "resolved", result: true, version: 6 });

/** U is pressed while the result is sent. */
function pressU(): void {
  learn(closedEvent, sending);
  act(() => latestUndo.undo?.want(closedEvent));
  expect(latestUndo.undo).toMatchObject({ wantedId: 1 });
  expect(sent).toEqual([]);
}

test("a result is taken back once, as soon as its answer says that it waits to be paid", () => {
  pressU();
  learn(pending, idle);
  learn(pending, { ...idle, refusal: "Something else." });
  expect(sent).toEqual(["withdraw 1 6"]);
  expect(latestUndo.undo).toMatchObject({ wantedId: null, lateId: null });
});

test("without an answer it waits until the page knows what has become of it", () => {
  pressU();
  const unanswered = { ...idle, refusal: "No answer.", isUnanswered: true };
  learn(closedEvent, unanswered);
  learn(pending, unanswered);
  expect(sent).toEqual([]);
  learn(pending, { ...idle, answersAgain: true });
  expect(sent).toEqual(["withdraw 1 6"]);
});

test("what was paid by then is said, and not corrected by itself", () => {
  pressU();
  learn(paid, idle);
  expect(sent).toEqual([]);
  expect(latestUndo.undo).toMatchObject({ wantedId: null, lateId: 1 });
});

test("where the result was refused nothing is taken back, also not what another host decides afterwards", () => {
  pressU();
  learn(closedEvent, { ...idle, refusal: "Refused." });
  expect(latestUndo.undo).toMatchObject({ wantedId: null, lateId: null });
  learn(pending, idle);
  expect(sent).toEqual([]);
});

test("what another host has decided first stays", () => {
  pressU();
  learn(pendingBy(viewerId + 1), { ...idle, refusal: "It changed at that moment." });
  pressU();
  learn(pendingBy(viewerId + 1), idle);
  expect(sent).toEqual([]);
});

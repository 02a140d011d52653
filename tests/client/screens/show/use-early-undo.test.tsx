import { beforeEach, expect, test } from "bun:test";
import { act, useLayoutEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type EarlyUndo, useEarlyUndo } from "#client/screens/show/arming/use-arming.ts";
import { type Acting, keyOf } from "#client/screens/show/use-acting.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildEvent, buildPlan, inSeconds } from "#tests/client/events/action-states.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());

let root: Root;
let sent: string[];
const latest: { undo: EarlyUndo | null } = { undo: null };
beforeEach(() => {
  sent = [];
  root = createRoot(document.createElement("div"));
});
afterTest(() => act(() => root.unmount()));

const send: Acting["act"] = (form) => {
  const { intent, eventId, version } = readForm(form, { intent: "text", eventId: "text", version: "text" });
  sent.push(`${intent} ${eventId} ${version}`);
  return Promise.resolve(true);
};

function Room({ event, acting }: { event: EventView; acting: Acting }) {
  const undo = useEarlyUndo({ events: [event], viewerId }, acting);
  useLayoutEffect(() => {
    latest.undo = undo;
  });
  return null;
}

const idle: Acting = { busy: new Set(), refusal: null, isUnanswered: false, answersAgain: false, act: send };
const sending: Acting = { ...idle, busy: new Set([keyOf("resolve", 1)]) };
const know = (event: EventView, acting: Acting) =>
  act(() => root.render(<Room event={event} acting={acting} />));
const closed = buildEvent({ state: "closed", version: 5 });
const decidedBy = (byId: number) => buildPlan({ decided: { at: inSeconds(0), byId, effectiveAt: null } });
const pendingBy = (byId: number) =>
  buildEvent({ state: "closed", pendingResult: true, version: 6, plan: decidedBy(byId) });
const viewerId = 7;
const pending = pendingBy(viewerId);
const paid = buildEvent({ state: "resolved", result: true, version: 6 });

/** U is pressed while the result is sent. */
function pressU(): void {
  know(closed, sending);
  act(() => latest.undo?.want(closed));
  expect(latest.undo).toMatchObject({ wantedId: 1 });
  expect(sent).toEqual([]);
}

test("a result is taken back once, as soon as its answer says that it waits to be paid", () => {
  pressU();
  know(pending, idle);
  know(pending, { ...idle, refusal: "Something else." });
  expect(sent).toEqual(["withdraw 1 6"]);
  expect(latest.undo).toMatchObject({ wantedId: null, lateId: null });
});

test("without an answer it waits until the page knows what has become of it", () => {
  pressU();
  const unanswered = { ...idle, refusal: "No answer.", isUnanswered: true };
  know(closed, unanswered);
  know(pending, unanswered);
  expect(sent).toEqual([]);
  know(pending, { ...idle, answersAgain: true });
  expect(sent).toEqual(["withdraw 1 6"]);
});

test("what was paid by then is said, and not corrected by itself", () => {
  pressU();
  know(paid, idle);
  expect(sent).toEqual([]);
  expect(latest.undo).toMatchObject({ wantedId: null, lateId: 1 });
});

test("where the result was refused nothing is taken back, also not what another host decides afterwards", () => {
  pressU();
  know(closed, { ...idle, refusal: "Refused." });
  expect(latest.undo).toMatchObject({ wantedId: null, lateId: null });
  know(pending, idle);
  expect(sent).toEqual([]);
});

test("what another host has decided first stays", () => {
  pressU();
  know(pendingBy(viewerId + 1), { ...idle, refusal: "It changed at that moment." });
  pressU();
  know(pendingBy(viewerId + 1), idle);
  expect(sent).toEqual([]);
});

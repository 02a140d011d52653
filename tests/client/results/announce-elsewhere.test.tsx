import { beforeEach, expect, test } from "bun:test";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { announceElsewhere } from "#client/results/announce-elsewhere.ts";
import { store } from "#client/results/memory.ts";
import { Toasts } from "#client/ui/toast.tsx";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { paidCall } from "./results.ts";

afterFile(openDom({ url: "http://localhost/leaderboard" }));
let root: Root;

beforeEach(() => {
  const element = document.createElement("div");
  document.body.replaceChildren(element);
  root = createRoot(element);
  act(() => root.render(<Toasts />));
});

afterTest(() => {
  for (const button of document.querySelectorAll<HTMLButtonElement>(".toast button"))
    act(() => button.click());
  act(() => root.unmount());
  history.replaceState(null, "", "/leaderboard");
  localStorage.clear();
});

const toasts = () => [...document.querySelectorAll(".toast > span")].map((toast) => toast.textContent);
const tellOf = (...calls: ReturnType<typeof paidCall>[]) =>
  act(() => {
    for (const call of calls) announceElsewhere({ call });
  });

test("on a page that does not show the session live: a win and a loss are announced in a toast, once", () => {
  const [won, lost] = [paidCall(1, 804), paidCall(2, 0, { eventTitle: "Question 2" })];
  tellOf(won, lost, won);
  expect(toasts()).toEqual([
    "You called it: +$3.04 · Question 1",
    "It went the other way: -$5.00 · Question 2",
  ]);
});

test("on a page that does not show the session live: refunds and corrections are not: their notifications announce them", () => {
  store(
    { viewerId: 7, sessionId: 1 },
    {
      results: new Map([[3, { openedAtMs: 0, result: "true", netCents: 304, beforeCents: null }]]),
      notificationId: 0,
    },
  );
  tellOf(paidCall(3, 0), paidCall(4, 500));
  expect(toasts()).toEqual([]);
});

test("the session's own screen announces its results itself", () => {
  history.replaceState(null, "", "/sessions/derby");
  tellOf(paidCall(5, 804));
  expect(toasts()).toEqual([]);
});

import { beforeEach, expect, jest, test } from "bun:test";
import { guardPlace, guardWhenGone } from "#client/base/browser/click-guard.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const closeDom = openDom();
afterFile(() => closeDom());

const STILL_MS = 1_000;
const WIDTH = 60;

beforeEach(() => void jest.useFakeTimers());
afterTest(() => {
  jest.advanceTimersByTime(STILL_MS);
  jest.useRealTimers();
  document.body.replaceChildren();
});

/** A button in a page, from `left` on, which counts its presses. */
function addButton(left: number, page = addPage()): { button: HTMLButtonElement; presses: () => number } {
  const button = document.createElement("button");
  button.getBoundingClientRect = () => new DOMRect(left, 0, WIDTH, WIDTH);
  let presses = 0;
  button.addEventListener("click", () => {
    presses += 1;
  });
  page.append(button);
  return { button, presses: () => presses };
}

function addPage(): HTMLElement {
  const page = document.createElement("main");
  document.body.append(page);
  return page;
}

function press(
  button: HTMLButtonElement,
  { clientX, detail = 1 }: { clientX: number; detail?: number },
): boolean {
  const click = new MouseEvent("click", { clientX, clientY: 1, detail, bubbles: true, cancelable: true });
  return button.dispatchEvent(click);
}

test("where a control has changed no press counts for a second, and then it does", () => {
  const { button, presses } = addButton(0);
  guardPlace(button);
  expect(press(button, { clientX: 1 })).toBe(false);
  jest.advanceTimersByTime(STILL_MS - 1);
  expect(press(button, { clientX: 1 })).toBe(false);
  expect(presses()).toBe(0);
  jest.advanceTimersByTime(1);
  expect(press(button, { clientX: 1 })).toBe(true);
  expect(presses()).toBe(1);
});

test("beside that place everything can be pressed", () => {
  const page = addPage();
  const { button } = addButton(0, page);
  const other = addButton(WIDTH * 2, page);
  guardPlace(button);
  press(other.button, { clientX: WIDTH * 2 + 1 });
  press(other.button, { clientX: 0, detail: 0 });
  expect(other.presses()).toBe(2);
});

test("the place of a control that goes away is kept still while its page stays", async () => {
  const page = addPage();
  const { button } = addButton(0, page);
  const gone = guardWhenGone(button);
  gone();
  button.remove();
  await Promise.resolve();
  const next = addButton(0, page);
  press(next.button, { clientX: 1 });
  expect(next.presses()).toBe(0);
});

test("another page takes presses at once", async () => {
  const { button } = addButton(0);
  const gone = guardWhenGone(button);
  gone();
  document.body.replaceChildren();
  await Promise.resolve();
  const next = addButton(0);
  press(next.button, { clientX: 1 });
  expect(next.presses()).toBe(1);
});

test("a dialog that the viewer has opened there takes presses at once", () => {
  const page = addPage();
  const { button } = addButton(0, page);
  guardPlace(button);
  const inDialog = addButton(0, page.appendChild(document.createElement("dialog")));
  press(inDialog.button, { clientX: 1 });
  expect(inDialog.presses()).toBe(1);
});

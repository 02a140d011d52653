import { beforeEach, expect, test } from "bun:test";
import { act, useLayoutEffect, useRef } from "react";
import { createRoot, type Root } from "react-dom/client";
import { DISARM_AFTER_MS, letArmedStay, useArmingCountdown } from "#client/screens/show/arming/use-arming.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());

let root: Root;
let page: HTMLElement;
/** What the hook has returned last: the seconds until it disarms, or null where it stays armed. */
const latest: { leftS: number | null } = { leftS: 0 };
const renderedAt = new Date().toISOString();
beforeEach(() => {
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
});
afterTest(() => {
  letArmedStay(false);
  act(() => root.unmount());
  page.remove();
});

const disarm = () => undefined;

function Form({ isHeld }: { isHeld: boolean }) {
  const section = useRef<HTMLElement>(null);
  const leftS = useArmingCountdown(section, { disarm, renderedAt, isHeld });
  useLayoutEffect(() => {
    latest.leftS = leftS;
  });
  return (
    <section ref={section} tabIndex={-1}>
      <input />
    </section>
  );
}

const arm = (isHeld = false) => act(() => root.render(<Form isHeld={isHeld} />));
const part = (selector: string): HTMLElement => {
  const found = page.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector}.`);
  return found;
};
const point = (type: string, movementX: number) =>
  act(() => void part("section").dispatchEvent(new PointerEvent(type, { movementX })));

function expectTime(): void {
  expect(latest.leftS).toBeGreaterThan(0);
  expect(latest.leftS).toBeLessThanOrEqual(DISARM_AFTER_MS / 1_000);
}

test("what is armed has eight seconds, and no end where the host has set that it stays", () => {
  arm();
  expectTime();
  act(() => root.unmount());
  letArmedStay(true);
  root = createRoot(page);
  arm();
  expect(latest.leftS).toBeNull();
});

test("it stays armed while a part of its form has the focus, not the form itself, and under a pointer that was moved into it, not at rest", () => {
  arm();
  act(() => part("section").focus());
  expectTime();
  act(() => part("input").focus());
  expect(latest.leftS).toBeNull();
  act(() => part("section").focus());
  expectTime();
  arm();
  point("pointermove", 0);
  expectTime();
  point("pointermove", 3);
  expect(latest.leftS).toBeNull();
  point("pointerleave", 3);
  expectTime();
});

test("it stays armed while it is sent, and has its whole time again when that fails", () => {
  arm();
  arm(true);
  expect(latest.leftS).toBeNull();
  arm(false);
  expect(latest.leftS).toBe(DISARM_AFTER_MS / 1_000);
});

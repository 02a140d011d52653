import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, useLayoutEffect, useRef } from "react";
import { createRoot, type Root } from "react-dom/client";
import { DISARM_AFTER_MS, letArmedStay, useFuse } from "#client/screens/show/arming/use-fuse.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const closeDom = openDom();
afterFile(() => closeDom());

let root: Root;
/** What the hook has returned last. */
const latest: { leftS: number | null } = { leftS: 0 };
const renderedAt = new Date().toISOString();
beforeEach(() => {
  root = createRoot(document.createElement("div"));
});
afterEach(() => {
  letArmedStay(false);
  act(() => root.unmount());
});

function Form({ disarm }: { disarm: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const leftS = useFuse(form, { disarm, renderedAt });
  useLayoutEffect(() => {
    latest.leftS = leftS;
  });
  return <form ref={form} />;
}

const arm = () => act(() => root.render(<Form disarm={() => undefined} />));

test("what is armed has eight seconds, and no end where the host has set that it stays", () => {
  arm();
  expect(latest.leftS).toBeGreaterThan(0);
  expect(latest.leftS).toBeLessThanOrEqual(DISARM_AFTER_MS / 1_000);
  act(() => root.unmount());
  letArmedStay(true);
  root = createRoot(document.createElement("div"));
  arm();
  expect(latest.leftS).toBeNull();
});

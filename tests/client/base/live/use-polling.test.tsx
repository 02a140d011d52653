import { beforeEach, expect, jest, test } from "bun:test";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { updateConnection } from "#client/base/live/connection.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const EVERY_MS = 2_000;
let root: Root;
let polls = 0;
const poll = () => void (polls += 1);

const closeDom = openDom();
afterFile(() => closeDom());

beforeEach(() => {
  jest.useFakeTimers();
  polls = 0;
  root = createRoot(document.createElement("div"));
});

afterTest(() => {
  act(() => root.unmount());
  updateConnection({ dismissed: null });
  jest.useRealTimers();
});

function Page({ enabled }: { enabled: boolean }) {
  usePolling(poll, { everyMs: EVERY_MS, enabled, whenVisible: false });
  return null;
}

test("a page polls at its interval, while it is enabled", () => {
  act(() => root.render(<Page enabled />));
  jest.advanceTimersByTime(3 * EVERY_MS);
  expect(polls).toBe(3);
  act(() => root.render(<Page enabled={false} />));
  jest.advanceTimersByTime(3 * EVERY_MS);
  expect(polls).toBe(3);
});

test("a page that was told to stay away does not poll", () => {
  act(() => root.render(<Page enabled />));
  updateConnection({ dismissed: "staying" });
  jest.advanceTimersByTime(100 * EVERY_MS);
  expect(polls).toBe(0);
});

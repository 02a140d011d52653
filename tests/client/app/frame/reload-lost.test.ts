import { beforeEach, expect, setSystemTime, spyOn, test } from "bun:test";
import { reloadLost } from "#client/app/frame/reload-lost.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const closeDom = openDom();
const reload = spyOn(globalThis.location, "reload").mockImplementation(() => {});
afterFile(async () => {
  reload.mockRestore();
  await closeDom();
});

beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
});
afterTest(() => void setSystemTime());

/** What a browser throws where an extension has moved a text that React removes. */
const lost = () => new DOMException("The node to be removed is not a child of this node.", "NotFoundError");

test("a screen that was lost is loaded again, once in five minutes", () => {
  setSystemTime(new Date("2026-11-21T20:00:00Z"));
  reloadLost(lost());
  expect(reload).toHaveBeenCalledTimes(1);
  setSystemTime(new Date("2026-11-21T20:04:59Z"));
  reloadLost(lost());
  expect(reload).toHaveBeenCalledTimes(1);
  setSystemTime(new Date("2026-11-21T20:05:00Z"));
  reloadLost(lost());
  expect(reload).toHaveBeenCalledTimes(2);
});

test("nothing is loaded again where the tab remembers nothing: it could be lost again and again", () => {
  const remembering = globalThis.sessionStorage;
  const define = (get: () => Storage) =>
    Object.defineProperty(globalThis, "sessionStorage", { get, configurable: true });
  define(() => {
    throw new DOMException("Switched off.", "SecurityError");
  });
  reloadLost(lost());
  define(() => remembering);
  expect(reload).not.toHaveBeenCalled();
});

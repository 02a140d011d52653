import { expect, test } from "bun:test";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "./dom.ts";

const ownFetch = globalThis.fetch;

const closeDom = openDom();
afterFile(() => closeDom());

test("openDom gives a test a document, and leaves fetch as it is", () => {
  document.body.innerHTML = "<p>You think</p>";
  expect(document.querySelector("p")?.textContent).toBe("You think");
  expect(globalThis.fetch).toBe(ownFetch);
});

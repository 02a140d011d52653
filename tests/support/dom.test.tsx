import { expect, test } from "bun:test";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "./dom.ts";

const ownFetch = globalThis.fetch;

const closeDom = openDom();
afterFile(() => closeDom());

test("a test that opens the DOM has a document, and Bun's own fetch", () => {
  document.body.innerHTML = "<p>You think</p>";
  expect(document.querySelector("p")?.textContent).toBe("You think");
  expect(globalThis.fetch).toBe(ownFetch);
});

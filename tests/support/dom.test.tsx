import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDom } from "./dom.ts";

const ownFetch = globalThis.fetch;
let closeDom: () => Promise<void>;
beforeAll(() => {
  closeDom = openDom();
});
afterAll(() => closeDom());

test("a test that opens the DOM has a document, and Bun's own fetch", () => {
  document.body.innerHTML = "<p>You think</p>";
  expect(document.querySelector("p")?.textContent).toBe("You think");
  expect(globalThis.fetch).toBe(ownFetch);
});

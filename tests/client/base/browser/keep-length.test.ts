import { expect, test } from "bun:test";
import { keepLength } from "#client/base/browser/keep-length.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const FAMILY = "👨‍👩‍👧‍👦";
const closeDom = openDom();
afterFile(() => closeDom());
const stop = keepLength();

/** What is left in a field of three characters after a text was put in before the caret. */
function put(value: string, caret = value.length): string {
  document.body.innerHTML = `<input data-characters="3">`;
  const field = document.querySelector("input");
  if (field === null) throw new Error("no field");
  field.value = value;
  field.setSelectionRange(caret, caret);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return field.value;
}

test("a field keeps to its number of characters as people count them, and what was just put in gives way", () => {
  expect(put(FAMILY.repeat(3))).toBe(FAMILY.repeat(3));
  expect(put(FAMILY.repeat(5))).toBe(FAMILY.repeat(3));
  expect(put("abcd")).toBe("abc");
  expect(put(`a${FAMILY}bc`, 1 + FAMILY.length)).toBe("abc");
  stop();
  expect(put("abcd")).toBe("abcd");
});

import { expect, test } from "bun:test";
import { ignoreKeys } from "#client/base/browser/ignore-keys.ts";
import { keepLength } from "#client/base/browser/keep-length.ts";
import { randomId } from "#client/base/browser/random-id.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());
const stop = ignoreKeys();
afterFile(() => stop());

afterTest(() => document.body.replaceChildren());

/** @returns true if the browser does what the key does on the element. */
function acts(html: string, key: string, { repeat }: { repeat: boolean }): boolean {
  document.body.innerHTML = html;
  const target = document.body.querySelector(".focus");
  const press = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
  return target?.dispatchEvent(press) === true;
}

test.each([
  ["Enter", '<button class="focus"></button>'],
  ["Enter", '<button><b class="focus"></b></button>'],
  ["Enter", '<a class="focus" href="/"></a>'],
  ["Enter", '<form><input class="focus"></form>'],
  ["Enter", '<details><summary class="focus"></summary></details>'],
  [" ", '<button class="focus"></button>'],
  [" ", '<input class="focus" type="checkbox">'],
])("%j that is held down on %s acts once", (key, html) => {
  expect(acts(html, key, { repeat: false })).toBe(true);
  expect(acts(html, key, { repeat: true })).toBe(false);
});

test.each([
  ["Enter", '<textarea class="focus"></textarea>'],
  [" ", '<input class="focus">'],
  [" ", '<main class="focus"></main>'],
  ["Backspace", '<input class="focus">'],
  ["ArrowDown", '<main class="focus"></main>'],
  ["ArrowRight", '<input class="focus" type="range">'],
])("%j that is held down on %s goes on: it types or scrolls", (key, html) => {
  expect(acts(html, key, { repeat: true })).toBe(true);
});

const FAMILY = "👨‍👩‍👧‍👦";
const stopLength = keepLength();

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
  stopLength();
  expect(put("abcd")).toBe("abcd");
});

// It hides the function of the prototype.
afterTest(() => void Reflect.deleteProperty(crypto, "randomUUID"));

test("an id has the form of a random UUID, also where the context is not secure", () => {
  Object.assign(crypto, { randomUUID: undefined });
  for (let made = 0; made < 1_000; made += 1)
    expect(randomId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

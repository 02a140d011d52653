import { expect, test } from "bun:test";
import { ignoreRepeats } from "#client/base/browser/ignore-repeats.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const closeDom = openDom();
afterFile(() => closeDom());
const stop = ignoreRepeats();
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

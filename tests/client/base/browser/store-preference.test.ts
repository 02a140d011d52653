import { expect, test } from "bun:test";
import { storePreference } from "#client/base/browser/store-preference.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

let close: () => Promise<void> = () => Promise.resolve();
afterTest(() => close());

/** What a page at this address writes as its cookie. */
function writtenAt(url: string, maxAgeSeconds?: number): string {
  close = openDom({ url });
  let written = "";
  Object.defineProperty(document, "cookie", {
    set: (text: string) => {
      written = text;
    },
  });
  storePreference("theme", "dark", maxAgeSeconds);
  return written;
}

test("a preference is sent over https alone where the page came by it", () => {
  expect(writtenAt("https://play.example/")).toBe(
    "theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; Secure",
  );
});

test("a preference is kept over http too, as in a network of one's own", () => {
  expect(writtenAt("http://192.168.1.7:3000/", 0)).toBe("theme=dark; Path=/; Max-Age=0; SameSite=Lax");
});

import { expect, test } from "bun:test";
import { describeBrowser } from "#src/people/sign-ins/describe-browser.ts";

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
const known: [words: string, userAgent: string | null][] = [
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Chrome on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`],
  ["Edge on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`],
  [
    "Safari on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  ["Unknown browser", "curl/8.9.1"],
  ["A browser on Linux", "something (Linux)"],
  ["Unknown browser", null],
];

for (const [words, userAgent] of known) {
  test(`${String(userAgent).slice(0, 60)} is called ${words}`, () => {
    expect(describeBrowser(userAgent)).toBe(words);
  });
}

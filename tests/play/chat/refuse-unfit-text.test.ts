import { describe, expect, test } from "bun:test";
import { demoLines } from "#db/seeds/chat.ts";
import { Refusal } from "#src/base/refusal.ts";
import { refuseUnfitText } from "#src/play/chat/refuse-unfit-text.ts";

/** "word" or "link" with the text to remove; null if the text is fine. */
function unfit(body: string): string[] | null {
  try {
    refuseUnfitText(body, { links: "refused" });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.details.detail ?? ""];
  }
}

describe("a bad word is refused", () => {
  test.each([
    ["as it is", "what the fuck", "fuck"],
    ["in capitals, stretched", "FUUUUCK this", "FUUUUCK"],
    ["with numbers and signs", "total sh!t, 5h1t", "sh!t"],
    ["in letters of other scripts", "fυck and ｆｕｃｋ", "fυck"],
    ["spelled out", "well f u c k that", "f u c k"],
    ["with dots", "f.u.c.k", "f.u.c.k"],
  ])("%s", (_, body, without) => {
    expect(unfit(body)).toEqual(["word", `Say it without "${without}".`]);
  });
});

describe("a link is refused", () => {
  test.each([
    ["https://example.com", "https://example.com"],
    ["go to www.example.org/x now", "www.example.org/x"],
    ["example.com", "example.com"],
    ["win big at lucky.bet", "lucky.bet"],
    ["write me@example.com", "me@example.com"],
    ["//example.com", "//example.com"],
  ])("in %p", (body, without) => {
    expect(unfit(body)).toEqual(["link", `Say it without "${without}".`]);
  });
});

test.each([
  ...demoLines,
  "Scunthorpe class assassins, Essex analysis",
  "the view from the cockpit",
  "I called True, 3.5 to 1, at 20:14:03.4",
  "a b c d e f g",
  "No. Yes! Maybe... 2-1?",
  "1.84x on a $5 call",
  "ÜÄÖ, 日本語, 👩‍👩‍👧 🎉",
])("nothing is wrong with %p", (body) => {
  expect(unfit(body)).toBeNull();
});

import { describe, expect, test } from "bun:test";
import { keyOf } from "#client/base/browser/key-of.ts";

const isSign = (name: string) => /^[+?]$/.test(name);
const press = (key: string, code: string, shiftKey = false) => keyOf({ key, code, shiftKey }, isSign);

/** What the keys of the control room, and the digits, type without Shift. */
const layouts: Readonly<Record<string, string>> = {
  "United States": "T t F f V v P p C c S s U u 1 1 2 2 9 9",
  Russian: "T е F а V м P з C с S ы U г 1 1 2 2 9 9",
  Greek: "T τ F φ V ω P π C ψ S σ U θ 1 1 2 2 9 9",
  Hebrew: "T א F כ V ה P פ C ב S ד U ו 1 1 2 2 9 9",
  Arabic: "T ف F ب V ر P ح C ؤ S س U ع 1 ١ 2 ٢ 9 ٩",
  French: "T t F f V v P p C c S s U u 1 & 2 é 3 \" 4 ' 5 ( 6 - 7 è 8 _ 9 ç",
  Czech: "T t F f V v P p C c S s U u 2 ě 3 š 4 č 5 ř 6 ž 7 ý 8 á 9 í",
  Georgian: "T ტ F ფ V ვ P პ C ც S ს U უ 1 1 2 2 9 9",
};

describe.each(Object.entries(layouts))("on a keyboard of this layout: %s", (_, keys) => {
  const typed = keys.split(" ");
  const pairs = typed.flatMap((name, index) =>
    index % 2 === 0 ? [[name, typed[index + 1] ?? ""] as const] : [],
  );

  test.each(pairs)("the key %s, which types %s, is that key", (name, key) => {
    const code = /\d/.test(name) ? `Digit${name}` : `Key${name}`;
    expect(press(key, code).toUpperCase()).toBe(name);
  });
});

test("a key that types a Latin letter is that letter, wherever it is", () => {
  // The A of a French keyboard, and the P of a Dvorak one.
  expect([press("a", "KeyQ"), press("p", "KeyR"), press("M", "Semicolon")]).toEqual(["a", "p", "M"]);
});

test("what does something by its sign is that sign", () => {
  // The 1 of a Czech keyboard has a plus.
  expect(press("+", "Digit1")).toBe("+");
  expect(keyOf({ key: "+", code: "Digit1", shiftKey: false }, () => false)).toBe("1");
  expect([press("?", "KeyM", true), press("؟", "Slash", true), press("?", "Slash", true)]).toEqual([
    "?",
    "?",
    "?",
  ]);
});

test("with Shift a digit's key has its sign, and names and punctuation stay", () => {
  expect([press("!", "Digit1", true), press("2", "Digit2", true)]).toEqual(["!", "2"]);
  expect([
    press("Enter", "Enter"),
    press("Dead", "KeyE"),
    press(",", "KeyM"),
    press("Backspace", "Backspace"),
  ]).toEqual(["Enter", "Dead", ",", "Backspace"]);
});

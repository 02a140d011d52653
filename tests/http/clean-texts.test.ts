import { expect, test } from "bun:test";
import { cleanLine, cleanText } from "#src/http/texts/contract.ts";

const unseen =
  "\u200b \u2060 \u2063 \u00ad \u034f \u061c \u115f \u1160 \u17b4 \u180e \u200e \u202e \u2066 \u2800 \u3164 \ufeff \uffa0 \ufffc \u{e0041} \u{1d173} \u0007";
test.each(unseen.split(" "))("what is not seen is taken out of a text: %j", (letter) => {
  expect(cleanLine(`a${letter}b`)).toBe("ab");
  expect(cleanLine(`${letter}${letter}`)).toBe("");
});

test.each(["\u200c", "\u200d", "\ufe0f", "\u{e0101}"])(
  "what is not seen is taken out of a text: %j between Latin letters",
  (letter) => {
    expect(cleanLine(`a${letter}b`)).toBe("ab");
    expect(cleanLine(letter)).toBe("");
  },
);

test.each([
  "👩‍👩‍👧‍👦",
  "👩🏽‍🚀 🏳️‍🌈",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "1️⃣ ❤️ ©️",
  "می‌خواهم",
  "क्‍ष",
  "ශ්‍රී ලංකා",
  "ကျော် မျိုး ဖြိုး မျှော်",
  "ཧཱུྃ སྒྲིཾ",
  "葛\u{e0100}城",
  "Ünïcödé, 日本語",
])("%j stays whole", (text) => {
  expect(cleanLine(text)).toBe(text);
});

test.each([
  ["a\u0315\u0316\u0317\u0318\u0319", 4],
  ["က\u103b\u103b\u103b\u103b\u103b\u103b\u103b\u103b", 7],
  ["က\u103b\u0315\u0316\u0317\u0318", 4],
  ["ก\u0e48\u0e49\u0e4a\u0e4b\u0e4c", 4],
])("a letter keeps no more marks than its script needs: %j", (text, length) => {
  expect(cleanLine(text)).toHaveLength(length);
});

test("a line has no breaks, a longer text keeps them", () => {
  expect(cleanLine(" one\r\ntwo\u2028three ")).toBe("one two three");
  expect(cleanText(" one\n\ttwo ")).toBe("one\n\ttwo");
});

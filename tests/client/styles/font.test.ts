import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { FAMILY, fallbackFaces } from "#client/build/fonts.ts";

/** The families that a file names for `property`, in their order. */
function familiesIn(file: string, property: string): string[] {
  const [, value = ""] = new RegExp(`${property}:\\s*([^;]+);`).exec(readFileSync(file, "utf8")) ?? [];
  return value.split(",").map((name) => name.trim().replaceAll('"', ""));
}

test("the page and the board of the queues are shown in the font that is loaded", () => {
  for (const [file, property] of [
    ["client/styles/tokens.css", "--font"],
    ["jobs/board-look.ts", "--font-sans"],
  ] as const)
    expect([file, familiesIn(file, property)[0]]).toEqual([file, FAMILY]);
});

test("until the font is there, the page is shown in the fallbacks that are as wide", () => {
  const fallbacks = [...fallbackFaces.matchAll(/font-family: "([^"]+)"/g)].map(([, family = ""]) => family);
  const expected = [...new Set(fallbacks)];
  expect(familiesIn("client/styles/tokens.css", "--font").slice(1, 1 + expected.length)).toEqual(expected);
});

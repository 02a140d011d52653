import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { accentGrounds, contrastOf, inkOn, isAccent, nearestAccent } from "#src/show/brands/contract.ts";

const tokens = readFileSync(path.join(import.meta.dir, "../../../client/styles/tokens.css"), "utf8");

test("accents are measured on the grounds of both themes", () => {
  const grounds = ["bg", "surface"].map((name) =>
    new RegExp(String.raw`--${name}: light-dark\((#\w{6}), (#\w{6})\)`).exec(tokens)?.slice(1),
  );
  expect(accentGrounds.map(String).toSorted()).toEqual(grounds.flatMap((pair) => pair ?? []).toSorted());
});

test("an accent holds 4.5:1 with its text and 3:1 beside both themes; every other colour has one near it", () => {
  const steps = [0, 51, 102, 153, 204, 255].map((byte) => byte.toString(16).padStart(2, "0"));
  const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
  for (const color of colors) {
    const accent = isAccent(color) ? color : nearestAccent(color);
    expect(isAccent(accent)).toBe(true);
    expect(nearestAccent(accent)).toBe(accent);
    expect(contrastOf(accent, inkOn(accent))).toBeGreaterThanOrEqual(4.5);
    for (const ground of accentGrounds) expect(contrastOf(accent, ground)).toBeGreaterThanOrEqual(3);
  }
  for (const color of ["#ffff00", "#ffffff", "#000000", "#001f5b", "#0f0f"])
    expect(isAccent(color)).toBe(false);
  // A pale blue stays blue, and is no further away than it must be.
  const channels = [1, 3, 5].map((at) => Number.parseInt(nearestAccent("#9fc5e8").slice(at, at + 2), 16));
  expect(channels).toEqual(channels.toSorted((one, other) => one - other));
});

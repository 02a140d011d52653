import { expect, test } from "bun:test";
import { takeRandomBytes } from "#src/base/random-bytes.ts";

const TAKEN = 2_000;
const BYTES = 16;

test("random bytes are as many as asked for, and no two are the same, also across the times when the system is asked", () => {
  const taken = Array.from({ length: TAKEN }, () => takeRandomBytes(BYTES));
  expect(taken.every((bytes) => bytes.length === BYTES)).toBe(true);
  expect(new Set(taken.map((bytes) => bytes.toString("hex"))).size).toBe(TAKEN);
});

test("random bytes that were given out stay as they were", () => {
  const first = takeRandomBytes(BYTES);
  const before = first.toString("hex");
  for (let times = 0; times < TAKEN; times += 1) takeRandomBytes(BYTES).fill(0);
  expect(first.toString("hex")).toBe(before);
});

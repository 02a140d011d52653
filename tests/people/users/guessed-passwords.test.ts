import { expect, test } from "bun:test";
import { refuseCommonPassword } from "#src/people/users/refuse-common-password.ts";
import { refusalOf } from "#tests/support/world.ts";

const own = ["ana.smith@example.test", "Ana_S"];

test.each([
  "password1",
  "called-it",
  "called-it-demo",
  "Called_It_2026",
  "ana.smith@example.test",
  "ANA_S",
  "anasmith1984",
  "Smith, Ana!!",
  "example2026",
  "ana called it",
])("%p is too easily guessed", async (password) => {
  const { status, details } = await refusalOf(refuseCommonPassword(password, own));
  expect([status, details.errors]).toEqual([422, { password: ["is too easily guessed"] }]);
});

test.each([
  "correct horse battery",
  "banana rama split",
  "nine green ladders",
  "84726581930",
  "x".repeat(128),
])("%p is not refused as common", async (password) => {
  expect(await refuseCommonPassword(password, own)).toBeUndefined();
});

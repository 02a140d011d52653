import { expect } from "bun:test";
import { Refusal } from "#src/base/refusal.ts";

/** Expects a refusal and answers it; anything else, success included, fails the test. */
export async function refusalOf(asked: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await asked.then(
    (value) => ({ succeeded: value }),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Refusal);
  if (!(outcome instanceof Refusal)) throw new Error("not refused");
  return outcome;
}

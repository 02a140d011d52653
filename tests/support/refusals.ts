import { expect } from "bun:test";
import { Refusal } from "#src/base/refusal.ts";

/** Expects a refusal and returns it. Success and any other error fail the test. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await work.then(
    (value) => ({ succeeded: value }),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Refusal);
  if (!(outcome instanceof Refusal)) throw new Error("not refused");
  return outcome;
}

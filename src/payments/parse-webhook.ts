import * as v from "valibot";
import { malformed, Refusal } from "#src/base/refusal.ts";

/** 400: the message does not prove where it comes from, or is too old. */
export function unsigned(): Refusal {
  return new Refusal(400, "invalid_signature", "The signature is not valid.");
}

/** Reads a provider's message in its shape. Refuses what is not JSON, or does not fit: 400. */
export function parseBody<S extends v.GenericSchema>(shape: S, body: string): v.InferOutput<S> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), shape), body);
  if (!parsed.success) throw malformed("The message is not one that we know.");
  return parsed.output;
}

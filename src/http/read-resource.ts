import * as v from "valibot";
import { invalid } from "#src/base/refusal.ts";
import { camelize } from "./camelize.ts";
import { checkInput } from "./check-input.ts";
import type { Endpoint } from "./endpoint.ts";
import { readBody } from "./read-body.ts";

/**
 * Reads a body as an endpoint's line says: `{call: {spot_id: 1}}` -> `{call: {spotId: 1}}`.
 * @param body as Elysia gives it: what was JSON.
 * Refuses a body without its first key (400), and what does not fit (422): a list as a whole, anything else by its fields.
 */
export function readResource(
  body: unknown,
  { body: entries = {}, bodyOptional }: Pick<Endpoint, "body" | "bodyOptional">,
): Record<string, unknown> {
  const [first, ...beside] = Object.entries(entries);
  if (first === undefined) return {};
  const [key, shape] = first;
  const sent = bodyOptional === true ? (body ?? { [key]: {} }) : body;
  if (beside.length > 0) {
    readBody(sent, key, v.unknown());
    return checkInput(v.object(entries), camelize(sent));
  }
  if (shape.type !== "array") return { [key]: readBody(sent, key, shape) };
  const list = v.safeParse(shape, readBody(sent, key, v.unknown()));
  if (!list.success) throw invalid({ [key]: ["is invalid"] });
  return { [key]: list.output };
}

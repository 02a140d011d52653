import * as v from "valibot";
import { textLine } from "#src/http/schemas.ts";
import { accentFormat, isAccent, SPONSOR_LENGTH_MAX } from "./contract.ts";

const LOGO_PATH = /^\/api\/v1\/logos\/[0-9a-f]{40}$/;
/** A signed id is shorter. */
const SIGNED_ID_LENGTH_MAX = 100;

/** The brand of a stored session or blueprint. What is invalid today is left out. */
export const brandSchema = v.object({
  /** "#0072b3": the ground of texts, with white or ink on it. */
  accent: v.fallback(v.optional(v.pipe(v.string(), v.check(isAccent))), undefined),
  sponsor: v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined),
  logo: v.fallback(v.optional(v.pipe(v.string(), v.regex(LOGO_PATH))), undefined),
});
export type Brand = v.InferOutput<typeof brandSchema>;

/** The brand in a request's body. What is left out stays; null removes it. */
export const brandBody = v.strictObject({
  accent: v.optional(
    v.nullable(
      v.pipe(v.string(), v.trim(), v.toLowerCase(), v.regex(accentFormat, "must be a colour like #0072b3")),
    ),
  ),
  sponsor: v.optional(v.nullable(textLine(SPONSOR_LENGTH_MAX))),
  logo: v.optional(v.nullable(textLine(SIGNED_ID_LENGTH_MAX))),
});
export type BrandBody = v.InferOutput<typeof brandBody>;
/** The same for what does not exist yet: it gets its logo afterwards, so that a repeated request needs no upload again. */
export const newBrandBody = v.omit(brandBody, ["logo"]);

import { malformed, Refusal } from "#src/base/refusal.ts";
import { JSON_DEPTH_MAX, measureJson, UPLOAD_BYTES_MAX } from "./contract.ts";

const KB = 1_024;
const MB = KB * KB;

/** How large a body may be. It is checked before the body is parsed, because parsing costs far more than counting. */
export type BodyLimit = {
  bytes: number;
  /** How many values: items of lists, and fields of objects or of a form. */
  values: number;
};

/** Most bodies have less than 1 KB and ten values. */
export const JSON_LIMIT: BodyLimit = { bytes: 16 * KB, values: 200 };
export const FORM_LIMIT: BodyLimit = { bytes: 64 * KB, values: 200 };
/** A file, and the fields around it. */
export const FILE_LIMIT: BodyLimit = { bytes: UPLOAD_BYTES_MAX + 64 * KB, values: 20 };
/** A message of a payment provider. Nothing of it is parsed before its signature is checked. */
export const WEBHOOK_BYTES_MAX = 256 * KB;

/** 413. */
export function tooLarge(bytes: number): Refusal {
  const limit = bytes >= MB ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / KB)} KB`;
  return new Refusal(413, "too_large", `The request is too large (at most ${limit}).`);
}

/** 413. */
export function tooManyValues(values: number): Refusal {
  return new Refusal(413, "too_large", `The request has too many values (at most ${values}).`);
}

/** Refuses JSON with too many values (413) or too deep nesting (400), without parsing it. */
export function refuseLargeJson(text: string, { values: valuesMax }: BodyLimit): void {
  const { values, depth } = measureJson(text);
  if (depth > JSON_DEPTH_MAX + 1) throw malformed("The body is nested too deeply.");
  if (values > valuesMax) throw tooManyValues(valuesMax);
}

import { CODES_PER_CHARACTER } from "#db/lists/limits.ts";

/**
 * The attributes of a field that takes so many characters, as people count them. Browsers count an emoji as two or more, so `maxlength`
 * allows more, and keep-length.ts holds the limit.
 */
export const charactersAtMost = (max: number) => ({
  maxLength: max * CODES_PER_CHARACTER,
  "data-characters": max,
});

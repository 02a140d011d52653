import { CODES_PER_CHARACTER } from "#db/lists/limits.ts";

/** The attributes of a field of so many characters, as people count them: `maxlength` allows more, and keep-length.ts fewer. */
export const charactersAtMost = (max: number) => ({
  maxLength: max * CODES_PER_CHARACTER,
  "data-characters": max,
});

import * as v from "valibot";

/** A whole number as the database gives it: counts and sums arrive as text. */
export const wholeNumber = v.pipe(
  v.union([v.number(), v.string(), v.bigint()]),
  v.transform(Number),
  v.safeInteger(),
);

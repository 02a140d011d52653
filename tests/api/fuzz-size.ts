/** How many random requests fuzz.test.ts sends: those of each day, or more for `bun run prove fuzz`. */
export const fuzz = { requests: 2_000 };

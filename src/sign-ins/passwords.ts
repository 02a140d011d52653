import { availableParallelism } from "node:os";
import { Refusal } from "#src/base/refusal.ts";

/** 19 MiB and 2 passes: what OWASP asks of argon2id at the least. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const AT_ONCE_MAX = 2;
/** Each takes a core for 30 ms: one core is left to everybody else, and of many cores no more than two are taken. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(AT_ONCE_MAX, availableParallelism() - 1));
const WAITING_MAX = 200;

/** The hash of a password that nobody has, for emails that nobody has: it takes as long to check as a real one. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$fQ42s0esQ2MVoYs61R2juR2v7sBPEqSDVYgfmBW3b90$7/k3EOMYQr4uH6q+O6FVnvD9u/bLJ0HpcSpchZTFkwQ";

let running = 0;
const waiting: (() => void)[] = [];

/** Hashes a password: argon2id in PHC form. Refuses when too many wait already: 503. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() =>
    Bun.password.hash(password, { algorithm: "argon2id", memoryCost: MEMORY_KIB, timeCost: PASSES }),
  );
}

/**
 * Checks a password, in the same time whether or not there is a hash to check it against.
 * @param hash null for an email that nobody has and for users without a password; then the answer is false.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const matches = await inTurn(() => Bun.password.verify(password, hash ?? NOBODYS_HASH));
  return matches && hash !== null;
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= HASHES_AT_ONCE) {
    if (waiting.length >= WAITING_MAX) throw tooBusy();
    // Whoever ends hands its place on, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

function tooBusy(): Refusal {
  return new Refusal(503, "unavailable", "Too many people are signing in. Try again in a moment.", {
    retryAfterSeconds: 5,
  });
}

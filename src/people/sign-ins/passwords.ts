import { availableParallelism } from "node:os";
import { Semaphore } from "#db/pool/semaphore.ts";
import { Refusal } from "#src/base/refusal.ts";
import { wideNetworkOf } from "#src/settings/networks.ts";

/** 19 MiB and 2 passes: the minimum for argon2id that OWASP recommends. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const AT_ONCE_MAX = 2;
/** A hash occupies a core for 30 ms. At most two run at once, and one core is always left for other requests. */
const HASHES_AT_ONCE = Math.max(1, Math.min(AT_ONCE_MAX, availableParallelism() - 1));
const WAITING_MAX = 200;

/** One limit for the whole process. Those who ask take turns, by all that one owner can use. */
const hashing = new Semaphore(HASHES_AT_ONCE, { waitingMax: WAITING_MAX, whenFull: tooBusy });

/** A hash that no password matches, for unknown emails: it takes as long to check as a real one. */
const UNKNOWN_USER_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$fQ42s0esQ2MVoYs61R2juR2v7sBPEqSDVYgfmBW3b90$7/k3EOMYQr4uH6q+O6FVnvD9u/bLJ0HpcSpchZTFkwQ";

/** Devices write one letter in several ways, such as ü as one sign or as two. A password is the same in each of them. */
const composed = (password: string) => password.normalize("NFC");

/**
 * Hashes a password: argon2id in PHC form. Refuses if too many are waiting: 503.
 * @param address of a stranger who asks; empty for users who have signed in.
 */
export function hashPassword(password: string, address = ""): Promise<string> {
  return hashing.run(
    () =>
      Bun.password.hash(composed(password), {
        algorithm: "argon2id",
        memoryCost: MEMORY_KIB,
        timeCost: PASSES,
      }),
    wideNetworkOf(address),
  );
}

/**
 * Checks a password. It takes the same time whether or not there is a hash. Refuses if too many are waiting: 503.
 * @param hash null for an unknown email and for users without a password; the result is then false.
 * @param address of a stranger who asks; empty for users who have signed in.
 */
export async function verifyPassword(password: string, hash: string | null, address = ""): Promise<boolean> {
  // Release 0.3.0 and earlier hashed what was typed.
  for (const form of new Set([composed(password), password])) {
    const matches = await hashing.run(
      () => Bun.password.verify(form, hash ?? UNKNOWN_USER_HASH),
      wideNetworkOf(address),
    );
    if (matches) return hash !== null;
  }
  return false;
}

function tooBusy(): Refusal {
  return new Refusal(503, "unavailable", "Too many people are signing in. Try again in a moment.", {
    retryAfterSeconds: 5,
  });
}

import type { Deps } from "#src/base/deps.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";
import { isStaff, type Viewer } from "./viewer.ts";

// Decision: while the database is away nobody can be authenticated, and those who can help must read why. So a process remembers which
// sign-ins were of operators and admins. That lets them read what is wrong with the database and nothing else, even if the sign-in has
// ended since in another process.

const KEPT_MS = 12 * 3_600_000;
const KNOWN_MAX = 500;

/** By the id of the sign-in: until when, from performance.now(). */
const known = new Map<string, number>();

/** Notes what the database has said of a sign-in. @param viewer null: it has ended. */
export function noteSignIn(signInId: string, viewer: Viewer | null): void {
  known.delete(signInId);
  if (!isStaff(viewer)) return;
  known.set(signInId, performance.now() + KEPT_MS);
  const [oldest = ""] = known.keys();
  if (known.size > KNOWN_MAX) known.delete(oldest);
}

/** True if the sign-in of a request was one of an operator or an admin when the database was asked last. */
export async function isKnownStaff({ env }: Pick<Deps, "env">, request: Request): Promise<boolean> {
  const signInId = await readSignInCookie(env, request);
  return signInId !== null && (known.get(signInId) ?? 0) > performance.now();
}

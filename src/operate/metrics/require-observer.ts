import { timingSafeEqual } from "node:crypto";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { readBearer } from "#src/http/bearer.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { readAccessToken } from "#src/people/sign-ins/access-tokens.ts";
import { authenticate } from "#src/people/sign-ins/authenticate.ts";
import { isStaff } from "#src/people/sign-ins/viewer.ts";
import type { Env } from "#src/settings/env.ts";

export function hasMetricsToken({ metricsToken }: Pick<Env, "metricsToken">, request: Request): boolean {
  const sent = readBearer(request);
  if (sent === null || metricsToken === null) return false;
  return timingSafeEqual(digestOf(sent), digestOf(metricsToken));
}

/** True for that program, and for an operator or admin who is signed in. A program needs no database. */
export async function isObserver(deps: Deps, request: Request): Promise<boolean> {
  if (hasMetricsToken(deps.env, request)) return true;
  if (readAccessToken(request) !== null) return false;
  // These paths are the same for everybody but observers, so nobody has been authenticated before.
  return isStaff((await authenticate(deps, createRequestContext(request, ""))).viewer);
}

/** @throws Refusal 404 for everybody else, as if there were nothing. */
export async function requireObserver(deps: Deps, request: Request): Promise<void> {
  if (!(await isObserver(deps, request))) throw notFound();
}

/** Of equal length, whatever was sent. */
function digestOf(secret: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(secret).digest();
}

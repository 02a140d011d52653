import { signIns, users } from "#db/schema/users.ts";
import { createCsrfSecret, maskCsrfSecret } from "#src/http/csrf.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { startSignInCookie } from "#src/people/sign-ins/sign-in-cookie.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import type { BenchDeps } from "../bench-deps.ts";

const ROWS_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

/** A player with a browser of their own. */
export type SignedInPlayer = { userId: number; gid: string; cookie: string; csrfToken: string };

/** Signs many players in. They have no wallet: sockets need none. */
export async function signInMany(
  deps: BenchDeps,
  count: number,
  { prefix = "viewer" } = {},
): Promise<SignedInPlayer[]> {
  const players: SignedInPlayer[] = [];
  while (players.length < count)
    players.push(
      ...(await signInSome(
        deps,
        namesFrom(prefix, players.length, Math.min(ROWS_AT_ONCE, count - players.length)),
      )),
    );
  return players;
}

function namesFrom(prefix: string, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}_${first + index}`);
}

async function signInSome(deps: BenchDeps, names: readonly string[]): Promise<SignedInPlayer[]> {
  const { db } = deps.pool;
  const built = await db
    .insert(users)
    .values(names.map((name) => ({ username: name, email: `${name}@example.test`, confirmedAt: new Date() })))
    .returning({ id: users.id });
  const expiresAt = new Date(Date.now() + DAY_MS);
  const started = await db
    .insert(signIns)
    .values(built.map(({ id }) => ({ userId: id, csrfSecret: createCsrfSecret(), expiresAt })))
    .returning({ id: signIns.id, userId: signIns.userId, csrfSecret: signIns.csrfSecret });
  return Promise.all(
    started.map(async ({ id, userId, csrfSecret }) => ({
      userId,
      gid: gidOf(userId),
      cookie: await cookieOf(deps, id),
      csrfToken: maskCsrfSecret(csrfSecret),
    })),
  );
}

async function cookieOf({ env }: BenchDeps, signInId: string): Promise<string> {
  const context = createRequestContext(new Request("http://localhost/"), "");
  await startSignInCookie(env, context, { signInId, maxAgeSeconds: undefined });
  return context.cookies[0]?.split(";")[0] ?? "";
}

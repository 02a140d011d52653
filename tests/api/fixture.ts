import { sql } from "drizzle-orm";
import { signIns, userRoles } from "#db/schema/users.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { createServer } from "#src/server.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import { asApplication } from "#tests/support/application.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { signedInClient, type TestClient, signedOutClient } from "#tests/support/client.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import type { Server } from "#tests/support/server.ts";

/** A signed-in user with a browser. */
export type TestUser = { id: number; browser: TestClient };

/** One server and its clients. None of these clients owns the resources of a happy request. */
export type Fixture = {
  deps: TestDeps;
  server: Server;
  signedOut: TestClient;
  guest: TestUser;
  other: TestUser;
  operator: TestUser;
  admin: TestUser;
  /** Programs that send the admin's access tokens, and the status that each gets where it may not call. */
  programs: Record<"expired" | "revoked" | "read" | "run", { browser: TestClient; refusedBy: number }>;
  /** A new player. */
  player: (terms?: { balanceCents?: number }) => Promise<TestUser>;
};

export const WEBHOOK_SECRET = "a secret of the provider";

/**
 * Starts a server with its clients.
 * @param variables environment variables that differ from the tests' defaults.
 * @param prepare what happens in the new database before the server connects to it.
 */
export async function openFixture(
  variables: Record<string, string> = {},
  prepare: (deps: TestDeps) => Promise<void> = () => Promise.resolve(),
): Promise<Fixture> {
  const deps = await buildDeps({
    PAYMENTS_WEBHOOK_SECRET: WEBHOOK_SECRET,
    FRAME_ORIGINS: "https://blog.example",
    ...variables,
  });
  await prepare(deps);
  // The server has the rights of the application, and no others: so every endpoint shows that they are enough.
  const server = createServer(asApplication(deps));
  const signIn = async ({ id }: { id: number }) => ({
    id,
    browser: await signedInClient(deps, server, { id }),
  });
  const player = async (terms = {}) => signIn(await buildPlayer(deps, terms));
  const operator = await player();
  await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  const admin = await signIn(await buildAdmin(deps));
  const signedOut = await signedOutClient(server);
  const program = async (terms: Omit<Parameters<typeof buildToken>[1], "userId">, refusedBy: number) => {
    const { secret } = await buildToken(deps, { userId: admin.id, ...terms });
    const credentials = () => ({ authorization: `Bearer ${secret}` });
    return { browser: { ...signedOut, credentials }, refusedBy };
  };
  const fixture = {
    deps,
    server,
    signedOut,
    programs: {
      expired: await program({ expired: true }, 401),
      revoked: await program({ revoked: true }, 401),
      read: await program({ scope: "read" }, 403),
      run: await program({ scope: "run" }, 403),
    },
    guest: await signIn(guest),
    other: await player(),
    // Roles are read with every request, so granting the role after the sign-in is enough.
    operator,
    admin,
    player,
  };
  // A sign-in that was seen a minute ago is updated, which would look like a change of a request that was refused.
  await deps.pool.db.update(signIns).set({ lastSeenAt: sql`clock_timestamp() + interval '1 hour'` });
  return fixture;
}

/** A request that must succeed. */
export type Happy = {
  browser: TestClient;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  /** Keys in snake_case, as clients send them. */
  body?: Record<string, unknown>;
  /** Instead of a JSON body: bytes with their headers. */
  bytes?: { body: string | Uint8Array<ArrayBuffer>; headers: Record<string, string> };
};

/** Creates the resources that a happy request needs, new ones each time, and returns the request. */
export type Prepare = (fixture: Fixture) => Promise<Happy>;

/** The path and query of a request. */
export function addressOf(
  path: string,
  { params = {}, query = {} }: Pick<Happy, "params" | "query">,
): string {
  const parts = path.split("/").map((part) => {
    if (part === "*") return "file.png";
    return part.startsWith(":") ? String(params[part.slice(1)]) : part;
  });
  const pairs = Object.entries(query).map(([key, value]) => [key, String(value)]);
  const search = new URLSearchParams(pairs).toString();
  return parts.join("/") + (search === "" ? "" : `?${search}`);
}

/** A request of a new player, and one of the admin, without anything prepared. */
export const byPlayer: Prepare = async (fixture) => ({ browser: (await fixture.player()).browser });
export const byAdmin: Prepare = async ({ admin }) => ({ browser: admin.browser });

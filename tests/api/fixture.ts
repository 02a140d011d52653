import { userRoles } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { createGuest } from "#src/users/create-guest.ts";
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
  /** A new player. */
  player: (terms?: { balanceCents?: number }) => Promise<TestUser>;
};

export const WEBHOOK_SECRET = "a secret of the provider";

/** Starts a server with its clients. @param variables environment variables that differ from the tests' defaults. */
export async function openFixture(variables: Record<string, string> = {}): Promise<Fixture> {
  const deps = await buildDeps({ PAYMENTS_WEBHOOK_SECRET: WEBHOOK_SECRET, ...variables });
  const server = createServer(deps);
  const signIn = async ({ id }: { id: number }) => ({
    id,
    browser: await signedInClient(deps, server, { id }),
  });
  const player = async (terms = {}) => signIn(await buildPlayer(deps, terms));
  const operator = await player();
  await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  return {
    deps,
    server,
    signedOut: await signedOutClient(server),
    guest: await signIn(guest),
    other: await player(),
    // Roles are read with every request, so granting the role after the sign-in is enough.
    operator,
    admin: await signIn(await buildAdmin(deps)),
    player,
  };
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

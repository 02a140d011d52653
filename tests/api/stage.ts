import { userRoles } from "#db/schema/users.ts";
import { createServer, type Server } from "#src/server.ts";
import { createGuest } from "#src/users/create-guest.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { visitAs, type Visitor, visitSignedOut } from "#tests/support/visitor.ts";

/** Somebody, and their browser. */
export type Somebody = { id: number; browser: Visitor };

/** Where endpoints are walked: one server, and whoever knocks. None of those here owns what a request is about. */
export type Stage = {
  deps: TestDeps;
  server: Server;
  out: Visitor;
  guest: Somebody;
  other: Somebody;
  operator: Somebody;
  admin: Somebody;
  /** A new player. */
  player: (terms?: { balanceCents?: number }) => Promise<Somebody>;
};

export const WEBHOOK_SECRET = "a secret of the provider";

/** @param variables settings that differ from the usual ones. */
export async function openStage(variables: Record<string, string> = {}): Promise<Stage> {
  const deps = await buildDeps({ PAYMENTS_WEBHOOK_SECRET: WEBHOOK_SECRET, ...variables });
  const server = createServer(deps);
  const at = async ({ id }: { id: number }) => ({ id, browser: await visitAs(deps, server, { id }) });
  const player = async (terms = {}) => at(await buildPlayer(deps, terms));
  const operator = await player();
  await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  return {
    deps,
    server,
    out: await visitSignedOut(server),
    guest: await at(guest),
    other: await player(),
    // A sign-in finds its roles anew each time.
    operator,
    admin: await at(await buildAdmin(deps)),
    player,
  };
}

/** A request that must succeed. */
export type Happy = {
  browser: Visitor;
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  /** As it is sent: keys in snake_case. */
  body?: Record<string, unknown>;
  /** Instead of a body: bytes, and the headers that belong to them. */
  bytes?: { body: string | Uint8Array<ArrayBuffer>; headers: Record<string, string> };
};

/** Prepares what the request needs, with a thing of its own each time. */
export type Prepare = (stage: Stage) => Promise<Happy>;

/** The address of a request. */
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

import { eq } from "drizzle-orm";
import { userRoles, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import type { RequestHandler } from "#tests/people/users/person.ts";
import { type BuiltUser, buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { Reader, readerFor } from "./browser.ts";

/** Who opens a page. */
export const viewerNames = ["admin", "operator", "player", "guest", "out"] as const;
export type ViewerName = (typeof viewerNames)[number];

type Viewers = {
  /** A browser of each, signed in except for `out`. */
  readers: Record<ViewerName, Reader>;
  users: Record<Exclude<ViewerName, "out">, BuiltUser>;
};

/** An admin, an operator, a player, a guest and somebody signed out, each with a browser. */
export async function buildViewers(deps: Deps, server: RequestHandler): Promise<Viewers> {
  const [admin, operator, player, guest] = [
    await buildAdmin(deps),
    await buildPlayer(deps),
    await buildPlayer(deps),
    await buildPlayer(deps),
  ];
  await deps.pool.db.insert(userRoles).values({ userId: operator.id, role: "operator" });
  const readers = {
    admin: await readerFor(deps, server, admin),
    operator: await readerFor(deps, server, operator),
    player: await readerFor(deps, server, player),
    guest: await readerFor(deps, server, guest),
    out: new Reader(server),
  };
  await deps.pool.db.update(users).set({ guest: true }).where(eq(users.id, guest.id));
  return { readers, users: { admin, operator, player, guest } };
}

import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Server } from "#src/server.ts";
import { type BuiltUser, buildPlayer, only } from "#tests/support/build.ts";
import { type Answer, visitAs, type Visitor } from "#tests/support/visitor.ts";

/** A new player at a browser, who is about to send a picture. */
export type Wearer = {
  player: BuiltUser;
  browser: Visitor;
  /** Sends a change of the own profile. */
  sendAvatar: (user: object) => Promise<Answer>;
  /** The player as the database has them now. */
  rowOf: () => Promise<BuiltUser>;
};

export async function openWearer(deps: Deps, server: Server): Promise<Wearer> {
  const player = await buildPlayer(deps);
  const browser = await visitAs(deps, server, player);
  return {
    player,
    browser,
    sendAvatar: (user) => browser.send("PATCH", `/api/v1/users/${player.id}`, { user }),
    rowOf: async () => only(await deps.pool.db.select().from(users).where(eq(users.id, player.id))),
  };
}

import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type BuiltUser, buildPlayer, only } from "#tests/support/build.ts";
import { type Answer, signedInClient, type TestClient } from "#tests/support/client.ts";
import type { Server } from "#tests/support/server.ts";

/** A new signed-in player who changes the avatar. */
export type AvatarOwner = {
  player: BuiltUser;
  browser: TestClient;
  /** Changes the player's profile. */
  sendAvatar: (user: object) => Promise<Answer>;
  /** Reads the player's row. */
  rowOf: () => Promise<BuiltUser>;
};

export async function openAvatarOwner(deps: Deps, server: Server): Promise<AvatarOwner> {
  const player = await buildPlayer(deps);
  const browser = await signedInClient(deps, server, player);
  return {
    player,
    browser,
    sendAvatar: (user) => browser.send("PATCH", `/api/v1/users/${player.id}`, { user }),
    rowOf: async () => only(await deps.pool.db.select().from(users).where(eq(users.id, player.id))),
  };
}

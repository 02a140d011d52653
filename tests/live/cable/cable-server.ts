import type { Deps } from "#src/base/deps.ts";
import type { HubIntervals } from "#src/live/cable/hub-api.ts";
import { createHub, type Hub } from "#src/live/cable/hub.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { createServer } from "#src/server.ts";
import { type BuiltUser, buildPlayer } from "#tests/support/build.ts";
import { createSignIn } from "#tests/support/client.ts";

/** A listening server with the cable, as in a web process. */
export type CableServer = {
  hub: Hub;
  port: number;
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** `ws://127.0.0.1:<port>/cable` */
  url: string;
  stop: () => Promise<void>;
};

/** @param onPort the port of an earlier server; without it any free port. */
export function startCableServer(deps: Deps, intervals: Partial<HubIntervals> = {}, onPort = 0): CableServer {
  const hub = createHub(deps, intervals);
  const app = createServer(deps, { hub });
  app.listen({ hostname: "127.0.0.1", port: onPort, reusePort: false });
  const port = app.server?.port ?? onPort;
  return {
    hub,
    port,
    origin: `http://127.0.0.1:${port}`,
    url: `ws://127.0.0.1:${port}/cable`,
    stop: async () => {
      await hub.stop();
      await app.stop(true);
    },
  };
}

/** A player who is signed in with one browser. */
export type SignedIn = { user: BuiltUser; gid: string; signInId: string; cookie: string };

export async function buildSignedIn(deps: Deps, user?: BuiltUser): Promise<SignedIn> {
  const player = user ?? (await buildPlayer(deps));
  const { signInId, cookie } = await createSignIn(deps, player);
  return { user: player, gid: gidOf(player.id), signInId, cookie };
}

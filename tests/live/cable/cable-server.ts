import type { Deps } from "#src/base/deps.ts";
import type { HubIntervals } from "#src/live/cable/hub-api.ts";
import { createHub, type Hub } from "#src/live/cable/hub.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { createServer } from "#src/server.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { type BuiltUser, buildPlayer } from "#tests/support/build.ts";
import { createSignIn } from "#tests/support/client.ts";
import { Client } from "./client.ts";

/** A listening server with the cable, as in a web process. */
export type CableServer = {
  hub: Hub;
  port: number;
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** `ws://127.0.0.1:<port>/cable` */
  url: string;
  /** A page of this browser that has connected. */
  connect: (who: { cookie: string }) => Promise<Client>;
  stop: () => Promise<void>;
};

/** @param onPort the port of an earlier server; without it any free port. */
export function startCableServer(deps: Deps, intervals: Partial<HubIntervals> = {}, onPort = 0): CableServer {
  const hub = createHub(deps, intervals);
  const app = createServer(deps, { hub });
  app.listen({ hostname: "127.0.0.1", port: onPort, reusePort: false });
  const port = app.server?.port ?? onPort;
  const [origin, url] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}/cable`];
  return {
    hub,
    port,
    origin,
    url,
    connect: ({ cookie }) => new Client(url, { origin, cookie }).welcomed(),
    stop: async () => {
      await hub.stop();
      await app.stop(true);
    },
  };
}

/** The same, until the test ends. */
export function openCableServer(deps: Deps, intervals: Partial<HubIntervals> = {}): CableServer {
  const server = startCableServer(deps, intervals);
  afterTest(() => server.stop());
  return server;
}

/** A player who is signed in with one browser. */
export type SignedIn = { user: BuiltUser; gid: string; signInId: string; cookie: string };

export async function buildSignedIn(deps: Deps, user?: BuiltUser): Promise<SignedIn> {
  const player = user ?? (await buildPlayer(deps));
  const { signInId, cookie } = await createSignIn(deps, player);
  return { user: player, gid: gidOf(player.id), signInId, cookie };
}

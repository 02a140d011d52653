import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import type { HubIntervals } from "#src/live/cable/hub-api.ts";
import { createHub, type Hub } from "#src/live/cable/hub.ts";
import { startSignInCookie } from "#src/people/sign-ins/sign-in-cookie.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { createServer } from "#src/server.ts";
import { type BuiltUser, buildPlayer, only } from "#tests/support/build.ts";

const DAY_MS = 86_400_000;

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
  const { id: signInId } = only(
    await deps.pool.db
      .insert(signIns)
      .values({ userId: player.id, csrfSecret: "c2VjcmV0", expiresAt: new Date(Date.now() + DAY_MS) })
      .returning(),
  );
  const context = createRequestContext(new Request("http://localhost/"), "");
  await startSignInCookie(deps.env, context, { signInId, maxAgeSeconds: undefined });
  const [cookie = ""] = only(context.cookies).split(";");
  return { user: player, gid: gidOf(player.id), signInId, cookie };
}

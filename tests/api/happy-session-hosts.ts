import { sessionHosts } from "#db/schema/session-hosts.ts";
import { buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import type { Fixture, Prepare } from "./fixture.ts";

/** A show with a host, requested by an admin. */
async function inHosted({ deps, admin }: Fixture) {
  const session = await buildRunningSession(deps, { name: "Friday derby" });
  const user = await buildPlayer(deps);
  await deps.pool.db
    .insert(sessionHosts)
    .values({ sessionId: session.id, userId: user.id, madeById: admin.id });
  return { user, browser: admin.browser, params: { id: session.slug } };
}

export const happySessionHosts: Record<string, Prepare> = {
  listSessionHosts: async (fixture) => {
    const { browser, params } = await inHosted(fixture);
    return { browser, params };
  },
  addSessionHost: async (fixture) => {
    const { browser, params } = await inHosted(fixture);
    const { username } = await buildPlayer(fixture.deps);
    return { browser, params, body: { session_host: { user: username } } };
  },
  removeSessionHost: async (fixture) => {
    const { user, browser, params } = await inHosted(fixture);
    return { browser, params: { ...params, userId: user.id } };
  },
};

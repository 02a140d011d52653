import { buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { byPlayer, type Fixture, type Prepare } from "./fixture.ts";

/** A private show, requested by an admin. */
async function inPrivate({ deps, admin }: Fixture) {
  const session = await buildRunningSession(deps, { name: "Friday derby", settings: { private: true } });
  return { session, browser: admin.browser, params: { id: session.slug } };
}

export const happyJoinCodes: Record<string, Prepare> = {
  showCodedSession: async (fixture) => ({
    browser: fixture.signedOut,
    params: { code: (await inPrivate(fixture)).session.joinCode },
  }),
  joinSession: async (fixture) => ({
    ...(await byPlayer(fixture)),
    body: { join: { code: (await inPrivate(fixture)).session.joinCode } },
  }),
  showJoinCode: async (fixture) => {
    const { browser, params } = await inPrivate(fixture);
    return { browser, params };
  },
  renewJoinCode: async (fixture) => {
    const { browser, params } = await inPrivate(fixture);
    return { browser, params };
  },
  removePlayer: async (fixture) => {
    const { browser, params } = await inPrivate(fixture);
    return { browser, params: { ...params, userId: (await buildPlayer(fixture.deps)).id } };
  },
};

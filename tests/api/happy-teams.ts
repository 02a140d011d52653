import { registrations } from "#db/schema/sessions.ts";
import { buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { byPlayer, type Fixture, type Prepare } from "./fixture.ts";

/** A session with two teams, one of which has a player. */
async function inTeams({ deps }: Fixture) {
  const session = await buildRunningSession(deps, { settings: { teams: ["Foxes", "Owls"] } });
  const { id: userId } = await buildPlayer(deps);
  await deps.pool.db.insert(registrations).values({ sessionId: session.id, userId, displayName: "Ana" });
  return { session, userId };
}

export const happyTeams: Record<string, Prepare> = {
  showTeams: async (fixture) => ({
    ...(await byPlayer(fixture)),
    query: { session_id: (await inTeams(fixture)).session.slug },
  }),
  chooseTeam: async (fixture) => ({
    ...(await byPlayer(fixture)),
    params: { id: (await inTeams(fixture)).session.slug },
    body: { team: { number: 2 } },
  }),
  movePlayer: async (fixture) => {
    const { session, userId } = await inTeams(fixture);
    return {
      browser: fixture.admin.browser,
      params: { id: session.slug, userId },
      body: { team: { number: 2 } },
    };
  },
};

import { sql } from "drizzle-orm";
import { seasons } from "#db/schema/seasons.ts";
import { only } from "#tests/support/build.ts";
import { byAdmin, byPlayer, type Fixture, type Prepare } from "./fixture.ts";

// Seasons do not overlap, so each request has a year of its own. The years before have ended, and nothing was decided in them.
let lastYear = 1_980;

function span() {
  lastYear += 1;
  return { startsAt: new Date(`${lastYear}-01-01`), endsAt: new Date(`${lastYear + 1}-01-01`) };
}

function sent() {
  const { startsAt, endsAt } = span();
  return { name: `Year ${lastYear}`, starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() };
}

async function withSeason({ deps }: Fixture): Promise<{ params: { id: number } }> {
  const { startsAt, endsAt } = span();
  const values = { slug: `year-${lastYear}`, name: `Year ${lastYear}`, startsAt, endsAt };
  const { id } = only(await deps.pool.db.insert(seasons).values(values).returning());
  return { params: { id } };
}

/** The season that runs now, in the place of the one before. */
async function withRunning({ deps }: Fixture): Promise<{ params: { id: number } }> {
  const nowMs = Date.now();
  await deps.pool.db.delete(seasons).where(sql`${seasons.slug} LIKE 'now-%'`);
  const values = {
    slug: `now-${nowMs}`,
    name: "Now",
    startsAt: new Date(nowMs - 5),
    endsAt: new Date(2_900, 0),
  };
  const { id } = only(await deps.pool.db.insert(seasons).values(values).returning());
  return { params: { id } };
}

export const happySeasons: Record<string, Prepare> = {
  listSeasons: async (fixture) => {
    await withSeason(fixture);
    return byPlayer(fixture);
  },
  showSeason: async (fixture) => ({ browser: fixture.signedOut, ...(await withSeason(fixture)) }),
  showSeasonPicture: async (fixture) => ({ browser: fixture.signedOut, ...(await withSeason(fixture)) }),
  createSeason: async (fixture) => ({ ...(await byAdmin(fixture)), body: { season: sent() } }),
  changeSeason: async (fixture) => ({
    ...(await byAdmin(fixture)),
    ...(await withSeason(fixture)),
    body: { season: { name: "Winter" } },
  }),
  endSeason: async (fixture) => ({ ...(await byAdmin(fixture)), ...(await withRunning(fixture)) }),
  deleteSeason: async (fixture) => ({ ...(await byAdmin(fixture)), ...(await withSeason(fixture)) }),
};

import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { sessionStates } from "#db/lists/sessions.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { sessions } from "#db/schema/sessions.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { listSessions } from "#src/show/sessions/find-session-views.ts";
import { testWorld } from "#tests/support/world.ts";

const SESSIONS = 40;
const RUNS = 80;

const { deps, db, build } = await testWorld();
const player = await build.player();
const viewer = await findViewer(db, player.id);
const now = new Date();

/** Few moments, so that many sessions have the same. */
const moment = fc.option(fc.integer({ min: 0, max: 5 }).map((day) => new Date(Date.UTC(2026, 9, 1 + day))));
const terms = fc.record({
  state: fc.constantFrom(...sessionStates),
  startsAt: moment,
  startedAt: moment,
  eventsCount: fc.nat({ max: 2 }),
  registered: fc.boolean(),
});

for (const [index, each] of fc.sample(terms, { numRuns: SESSIONS, seed: 11 }).entries()) {
  const [row] = await db
    .insert(sessions)
    .values({ slug: `listed-${index}`, name: "Listed", startsAt: each.startsAt, startedAt: each.startedAt })
    .returning();
  if (row === undefined) throw new Error("INSERT returned no row");
  for (let n = 0; n < each.eventsCount; n += 1) await build.draft({ sessionId: row.id });
  if (each.registered) {
    await db.execute(sql`INSERT INTO registrations (session_id, user_id, display_name)
      VALUES (${row.id}, ${player.id}, 'Ana')`);
  }
  if (each.state === "pending") continue;
  await db.execute(sql`UPDATE sessions SET state = 'running' WHERE id = ${row.id}`);
  if (each.state === "paused") {
    await db.execute(sql`UPDATE sessions SET state = 'paused', paused_at = now() WHERE id = ${row.id}`);
  }
  if (each.state === "stopped") {
    await db.execute(sql`UPDATE sessions SET state = 'stopped', stopped_at = now() WHERE id = ${row.id}`);
  }
}
await db.execute(
  sql`UPDATE sessions SET active = true WHERE id = (SELECT min(id) FROM sessions WHERE state = 'running')`,
);

/** Counted row by row, in the order of the API's reference. */
const all = await db
  .select({
    id: sessions.id,
    state: sessions.state,
    active: sessions.active,
    eventsCount: sql<number>`(SELECT count(*) FROM events e WHERE e.session_id = sessions.id)::int`,
    registrationsCount: sql<number>`(SELECT count(*) FROM registrations r WHERE r.session_id = sessions.id)::int`,
    registered: sql<boolean>`EXISTS (SELECT 1 FROM registrations r WHERE r.session_id = sessions.id AND r.user_id = ${player.id})`,
  })
  .from(sessions)
  .orderBy(
    sql`state IN ('running', 'paused') DESC, active DESC, coalesce(started_at, starts_at, created_at) DESC, id DESC`,
  );

test("any page of the sessions has live ones first, then the newest, with the counts of their rows", async () => {
  const property = fc.asyncProperty(
    fc.option(fc.constantFrom(...sessionStates), { nil: undefined }),
    fc.option(fc.constantFrom("true" as const, "false" as const), { nil: undefined }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 12 }),
    async (state, active, number, perPage) => {
      const page = { page: number, perPage, offset: (number - 1) * perPage };
      const listed = await listSessions(deps, { viewer, query: { state, active }, page }, now);
      const expected = all.filter(
        (row) =>
          (state === undefined || row.state === state) &&
          (active === undefined || String(row.active) === active),
      );
      expect(listed.sessions).toMatchObject(expected.slice(page.offset, page.offset + perPage));
      expect(listed.sessions).toHaveLength(Math.max(0, Math.min(perPage, expected.length - page.offset)));
      expect(listed.meta).toMatchObject({ totalCount: expected.length });
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

test("the soonest start comes first, those without one last, and a search finds a part of the name, in any case", async () => {
  await db.insert(sessions).values([
    { slug: "late-derby", name: "Derby 100%, late", startsAt: new Date("2027-01-03T20:00:00Z") },
    { slug: "early-derby", name: "The DERBY_night", startsAt: new Date("2027-01-02T20:00:00Z") },
    { slug: "some-derby", name: "Derby some day" },
  ]);
  const find = async (search: string) => {
    const query = { state: "pending", search, order: "soonest" } as const;
    const { sessions: found } = await listSessions(
      deps,
      { viewer, query, page: { page: 1, perPage: 10, offset: 0 } },
      now,
    );
    return found.map(({ slug }) => slug);
  };
  expect(await find("derby")).toEqual(["early-derby", "late-derby", "some-derby"]);
  expect(await find("0%")).toEqual(["late-derby"]);
  expect(await find("y_n")).toEqual(["early-derby"]);
  expect(await find("nothing")).toEqual([]);
});

test("the sessions that a viewer hosts are listed alone, the private ones too, and nobody else's", async () => {
  const own = await build.session({ slug: "own-show" });
  const privateOwn = await build.session({ slug: "private-show", settings: { private: true } });
  await build.session({ slug: "others-show" });
  const host = await build.player();
  await db
    .insert(sessionHosts)
    .values(
      [own, privateOwn].map(({ id: sessionId }) => ({ sessionId, userId: host.id, madeById: host.id })),
    );
  const find = async (userId: number) => {
    const page = { page: 1, perPage: 10, offset: 0 };
    const asked = { viewer: await findViewer(db, userId), query: { hosted: "true" }, page } as const;
    const { sessions: found, meta } = await listSessions(deps, asked, now);
    return [found.map(({ slug }) => slug).toSorted(), meta.totalCount];
  };
  expect(await find(host.id)).toEqual([["own-show", "private-show"], 2]);
  expect(await find(player.id)).toEqual([[], 0]);
});

import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { inTransaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { registrations } from "#db/schema/sessions.ts";
import { connectRedis } from "#src/base/redis.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { countPlayersOnline, findSessionView } from "#src/show/sessions/find-session-views.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { listDifferences } from "#tests/support/books.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const PLAYERS = 12;
const RUNS = 25;
const TEST_WITHIN_MS = 180_000;

const { deps, db, build } = await testWorld();
const admin = await build.admin();
const players = await Promise.all(Array.from({ length: PLAYERS }, () => build.player()));

const playerAt = (index: number): BuiltUser => players[index % players.length] ?? admin;
const register = async (slugOrId: string, { id }: BuiltUser) =>
  registerPlayer(deps, { slugOrId, viewer: await findViewer(db, id) });
const countsOf = async (sessionId: number) => {
  const view = await findSessionView(db, sessionId, null);
  return [view?.eventsCount, view?.registrationsCount];
};
/** Counted row by row. */
const rowsOf = async (sessionId: number) => [
  await db.$count(events, sql`session_id = ${sessionId} AND state NOT IN ('hidden', 'soft_destroyed')`),
  await db.$count(registrations, eq(registrations.sessionId, sessionId)),
];
const failureOf = (work: () => PromiseLike<unknown>) =>
  Promise.resolve(work()).then(
    () => "done",
    (error: unknown) => String(error instanceof Error ? error.cause : error),
  );

const step = fc.oneof(
  fc.record({ do: fc.constant("register" as const), player: fc.nat(), session: fc.nat() }),
  fc.record({ do: fc.constant("unregister" as const), player: fc.nat() }),
  fc.record({ do: fc.constant("draft" as const), session: fc.nat() }),
  fc.record({ do: fc.constant("insert" as const), session: fc.nat(), n: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ do: fc.constant("move" as const), session: fc.nat() }),
  fc.record({ do: fc.constant("destroy" as const), session: fc.nat() }),
  fc.record({ do: fc.constant("delete" as const), session: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test(
  "after any registrations, events, deletions and plain SQL the counts of the sessions are their rows",
  async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const sessionIds = [(await build.session()).id, (await build.session()).id];
      for (const each of steps) await take(each, sessionIds);
      for (const id of sessionIds) expect(await countsOf(id)).toEqual(await rowsOf(id));
      await db.delete(registrations);
      for (const id of sessionIds) expect((await countsOf(id))[1]).toBe(0);
      expect(await listDifferences(db)).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
  },
  TEST_WITHIN_MS,
);

async function take(each: Step, sessionIds: readonly number[]): Promise<void> {
  const at = (index: number) => sessionIds[index % sessionIds.length] ?? Number.NaN;
  switch (each.do) {
    case "register":
      await register(String(at(each.session)), playerAt(each.player));
      return;
    case "unregister":
      await db.delete(registrations).where(eq(registrations.userId, playerAt(each.player).id));
      return;
    case "draft":
      await build.event("draft", { sessionId: at(each.session) });
      return;
    case "insert":
      await db.execute(sql`INSERT INTO events (session_id, title)
        SELECT ${at(each.session)}::bigint, 'Event ' || n FROM generate_series(1, ${each.n}::int) n`);
      return;
    case "move":
      await db.execute(sql`UPDATE events SET session_id = ${at(each.session + 1)}
        WHERE session_id = ${at(each.session)} AND state = 'draft'`);
      return;
    case "destroy":
      await db.execute(sql`UPDATE events SET state = 'soft_destroyed' WHERE id = (
        SELECT min(id) FROM events WHERE session_id = ${at(each.session)} AND state <> 'soft_destroyed')`);
      return;
    case "delete":
      await inTransaction(db, async (tx) => {
        await tx.execute(sql`DELETE FROM spots WHERE event_id IN (
          SELECT id FROM events WHERE session_id = ${at(each.session)})`);
        await tx.delete(events).where(eq(events.sessionId, at(each.session)));
      });
  }
}

test("concurrent registrations and first calls are all counted, each player once", async () => {
  const session = await build.runningSession();
  const event = await build.event("open", { sessionId: session.id });
  await Promise.all(
    players.flatMap((player, index) => [
      register(session.slug, player),
      index % 2 === 0 ? build.call({ eventId: event.id, userId: player.id }) : register(session.slug, player),
    ]),
  );
  expect(await countsOf(session.id)).toEqual([2, PLAYERS]);
});

test("the counts cannot be written directly, also not by the owner of the tables", async () => {
  const session = await build.session();
  await register(session.slug, playerAt(0));
  for (const statement of [
    `UPDATE session_counts SET registrations_count = 7 WHERE session_id = ${session.id}`,
    `DELETE FROM session_counts WHERE session_id = ${session.id}`,
    "INSERT INTO totals (name, rows_count) VALUES ('users', 1)",
    "UPDATE totals SET rows_count = 0",
    "DELETE FROM totals",
  ]) {
    expect(await failureOf(() => db.execute(sql.raw(statement)))).toContain("illegal change of");
  }
  for (const table of ["session_counts", "totals"]) {
    expect(await failureOf(() => db.execute(sql.raw(`TRUNCATE ${table}`)))).toContain("is append-only");
  }
  expect(
    await failureOf(() => db.execute(sql.raw("UPDATE registrations SET session_id = session_id"))),
  ).toContain("illegal change of registrations");
  expect(await countsOf(session.id)).toEqual([0, 1]);
  expect(await listDifferences(db)).toEqual([]);
});

async function buildViews() {
  const made = [await build.session(), await build.session()];
  const views = await Promise.all(made.map(({ id }) => findSessionView(db, id, null)));
  return views.filter((view) => view !== null);
}

test("without Redis the sessions are listed with a count of 0", async () => {
  const views = await buildViews();
  const unreachable = connectRedis("redis://127.0.0.1:1", "commands");
  expect(await countPlayersOnline(unreachable, views)).toEqual(views);
  unreachable.disconnect();
});

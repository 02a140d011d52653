import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { findSessionView } from "#src/show/sessions/find-session-views.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { listDifferences } from "#tests/support/books.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const PLAYERS = 12;

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
const failureOf = (work: () => PromiseLike<unknown>) =>
  Promise.resolve(work()).then(
    () => "done",
    (error: unknown) => String(error instanceof Error ? error.cause : error),
  );

test("concurrent registrations and first calls are all counted, each player once", async () => {
  const { session, event } = await build.openShow();
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

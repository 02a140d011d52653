import { beforeEach, expect, test } from "bun:test";
import { and, eq, ne } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSessionIn, listChanges } from "./fixtures.ts";

const { deps, db, build, read } = await testWorld();

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
});

const command = ({ id }: SessionRow) => ({ sessionId: id, actor: null });

test("starting a session makes it active if no session is active, and else changes nothing", async () => {
  const session = await buildSessionIn(deps, "running");
  expect(session.active).toBe(true);
  expect(await listChanges(deps, session.id)).toContain("activate");
  const first = await buildSessionIn(deps, "running");
  const second = await buildSessionIn(deps, "running");
  expect(second.active).toBe(false);
  expect(await read.session(first.id)).toEqual(first);
});

test("a start that says so makes the session the active one instead of another", async () => {
  const first = await buildSessionIn(deps, "running");
  const { id } = await build.session();
  await build.draft({ sessionId: id });
  const started = await startSession(deps, { sessionId: id, actor: null, activate: true });
  expect(started).toMatchObject({ state: "running", active: true });
  expect(await read.session(first.id)).toMatchObject({ state: "running", active: false });
  expect(await listChanges(deps, first.id)).toContain("deactivate");
  expect(await listChanges(deps, id)).toEqual(expect.arrayContaining(["start", "activate"]));
});

test("activating a session deactivates the other one, and both changes are broadcast", async () => {
  const first = await buildSessionIn(deps, "running");
  const second = await buildSessionIn(deps, "pending");
  expect((await activateSession(deps, command(second))).active).toBe(true);
  expect((await read.session(first.id)).active).toBe(false);
  expect(await listChanges(deps, first.id)).toContain("deactivate");
  expect(await listChanges(deps, second.id)).toContain("activate");
});

test("exactly one session is active after several start and one is activated at once", async () => {
  const many = await Promise.all(Array.from({ length: 6 }, () => buildSessionIn(deps, "pending")));
  const [chosen, ...others] = many;
  if (chosen === undefined) throw new Error("six were made");
  await Promise.all([
    ...others.map((session) => startSession(deps, command(session))),
    activateSession(deps, command(chosen)),
  ]);
  expect(await db.$count(sessions, eq(sessions.active, true))).toBe(1);
  const notRunning = and(
    ne(sessions.state, "running"),
    ne(sessions.id, chosen.id),
    eq(sessions.active, true),
  );
  expect(await db.$count(sessions, notRunning)).toBe(0);
});

import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { seedBlueprints } from "#jobs/demo/seed-blueprints.ts";
import { chooseMove, type Rehearsal, stepRehearsal } from "#jobs/demo/start-demo.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, read } = await testWorld();
await seedBlueprints(deps);

const findRehearsals = () =>
  db.select().from(sessions).where(eq(sessions.rehearsal, true)).orderBy(asc(sessions.id));

/** Removes all events of a session, as if all had been played. */
async function endEvents(sessionId: number): Promise<void> {
  const ofSession = eq(events.sessionId, sessionId);
  await db.update(events).set({ state: "visible" }).where(ofSession);
  await db.update(events).set({ state: "hidden", nextTransition: null, dueAt: null }).where(ofSession);
}

test("a rehearsal begins, runs and is the active session; further steps change nothing", async () => {
  await stepRehearsal(deps);
  await stepRehearsal(deps);

  const [rehearsal, ...others] = await findRehearsals();
  expect(others).toEqual([]);
  expect(rehearsal).toMatchObject({ name: "House games", state: "running", active: true });
  const planned = await read.events(rehearsal?.id ?? 0);
  expect(planned).toHaveLength(12);
  for (const event of planned) {
    expect(event).toMatchObject({
      autoResult: "random",
      durationSeconds: 20,
      leadSeconds: 10,
      resolveWithinSeconds: 0,
    });
  }
  // The first question can be read before it opens; between two events there is room for a result and the next question.
  const startedMs = rehearsal?.startedAt?.getTime() ?? 0;
  const opensIn = planned.map(({ opensAt }) => ((opensAt?.getTime() ?? 0) - startedMs) / 1_000);
  expect(opensIn.slice(0, 3)).toEqual([10, 38, 66]);
});

test("after its last event it stops and the next begins, also with several workers", async () => {
  const [first] = await findRehearsals();
  await endEvents(first?.id ?? 0);

  for (let round = 0; round < 4; round++) {
    await Promise.allSettled([stepRehearsal(deps), stepRehearsal(deps), stepRehearsal(deps)]);
  }

  const states = (await findRehearsals()).map(({ state, active }) => ({ state, active }));
  expect(states).toEqual([
    { state: "stopped", active: false },
    { state: "running", active: true },
  ]);
});

test("another active session stays active; afterwards the rehearsal becomes active again", async () => {
  const hosted = await build.runningSession();
  await activateSession(deps, { sessionId: hosted.id, actor: null });
  await stepRehearsal(deps);
  expect((await findRehearsals()).at(-1)).toMatchObject({ state: "running", active: false });

  await stopSession(deps, { sessionId: hosted.id, actor: null });
  await stepRehearsal(deps);
  expect((await findRehearsals()).at(-1)).toMatchObject({ state: "running", active: true });
});

test("when an admin stops the rehearsal, the next one begins", async () => {
  const before = (await findRehearsals()).at(-1);
  await stopSession(deps, { sessionId: before?.id ?? 0, actor: null });
  await stepRehearsal(deps);
  const after = (await findRehearsals()).at(-1);
  expect(after?.id).not.toBe(before?.id);
  expect(after).toMatchObject({ state: "running", active: true });
});

const rehearsal = (terms: Partial<Rehearsal>): Rehearsal => ({
  id: 1,
  state: "running",
  active: true,
  unfinished: true,
  resultShown: false,
  ...terms,
});

test("the last result stays visible for a while; a paused rehearsal waits", () => {
  const noOther = { active: false };
  expect(chooseMove([rehearsal({ unfinished: false })], noOther)).toEqual({ kind: "wait" });
  expect(chooseMove([rehearsal({ unfinished: false, resultShown: true })], noOther)).toEqual({
    kind: "stop",
    sessionId: 1,
  });
  expect(chooseMove([rehearsal({ state: "paused", unfinished: false, resultShown: true })], noOther)).toEqual(
    { kind: "wait" },
  );
});

test("after a crash, a pending rehearsal starts, and the older of two stops", () => {
  expect(chooseMove([rehearsal({ id: 7, state: "pending" })], { active: true })).toEqual({
    kind: "start",
    sessionId: 7,
  });
  expect(chooseMove([rehearsal({ id: 7 }), rehearsal({ id: 8, active: false })], { active: false })).toEqual({
    kind: "stop",
    sessionId: 7,
  });
});

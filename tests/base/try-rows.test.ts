import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { failingRows } from "#db/schema/failing-rows.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { listFailingRows, noteFailure } from "#src/base/try-rows.ts";
import { readState } from "#src/operate/metrics/process-metrics.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import { sweepOnce } from "#src/show/timers/sweep.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, read, runClock } = await testWorld();
const SECOND_MS = 1_000;

test("a due event that always fails is tried after growing pauses, stops no other, and is forgotten once it is done", async () => {
  const [broken, other] = [await buildDueEvent(deps, 0), await buildDueEvent(deps, 0)];
  await db.execute(
    sql.raw(`CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.id = ${broken.id} THEN RAISE EXCEPTION 'a row that always fails'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse_one BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse_one()`),
  );
  const errors: unknown[] = [];
  const tries: number[] = [];
  for (let second = 2; second <= 600; second += 1) {
    await runClock({ aheadMs: second * SECOND_MS });
    const before = errors.length;
    await sweepOnce(deps, (error) => errors.push(error));
    if (errors.length > before) tries.push(second);
    // What happens between two tries is the same in each second.
    const [row] = await db.execute(
      sql`SELECT floor(extract(epoch FROM next_at - game_now()))::int AS left FROM failing_rows`,
    );
    second += Math.max(0, Number(row?.["left"] ?? 0) - 1);
  }
  expect(tries.length).toBeLessThanOrEqual(11);
  expect((await read.event(other.id)).state).toBe("closed");
  expect(await listFailingRows(db, 10)).toMatchObject([
    {
      kind: "due_event",
      rowId: broken.id,
      attempts: tries.length,
      reason: expect.stringContaining("a row that always fails"),
    },
  ]);
  const { failingRows } = await showOperations(deps, new Date());
  expect(failingRows).toMatchObject([{ kind: "due_event", rowId: broken.id, attempts: tries.length }]);
  expect(await runCheck(deps, "rows")).toMatchObject({
    state: "failing",
    said: expect.stringContaining(`due_event ${broken.id}`),
  });
  expect((await readState(deps)).database?.numbers["failing_rows"]).toBe(1);

  await db.execute(sql.raw("DROP TRIGGER refuse_one ON events; DROP FUNCTION refuse_one()"));
  await runClock({ aheadMs: 1_200 * SECOND_MS });
  await sweepOnce(deps);
  expect((await read.event(broken.id)).state).toBe("closed");
  expect(await listFailingRows(db, 10)).toEqual([]);
  await runClock();
});

test("a failure that several processes meet at once counts once; a row that nobody tries is forgotten after a day", async () => {
  const note = (id: number) => noteFailure(deps, { kind: "picture", id, error: new Error("no picture") });
  await Promise.all([note(7), note(7), note(7)]);
  expect(await listFailingRows(db, 10)).toEqual([]);
  await runClock({ aheadMs: 5 * SECOND_MS });
  await Promise.all([note(7), note(7), note(7)]);
  expect(await listFailingRows(db, 10)).toMatchObject([{ kind: "picture", rowId: 7, attempts: 2 }]);
  await pruneTable(deps, failingRows);
  expect(await listFailingRows(db, 10)).toHaveLength(1);
  await runClock({ aheadMs: 25 * 3_600 * SECOND_MS });
  await pruneTable(deps, failingRows);
  expect(await listFailingRows(db, 10)).toEqual([]);
  expect(await db.$count(events)).toBeGreaterThan(0);
  await runClock();
});

test("what a missing right keeps from being done is tried every two seconds, so it is done soon after the right is there again", async () => {
  const error = Object.assign(new Error("permission denied for table calls"), { errno: "42501" });
  for (const second of [2_000, 2_010, 2_020, 2_030, 2_040]) {
    await runClock({ aheadMs: second * SECOND_MS });
    await noteFailure(deps, { kind: "settlement", id: 4_711, error });
  }
  const [row] = await db.execute(
    sql`SELECT attempts, next_at <= game_now() + interval '2 seconds' AS "isSoon" FROM failing_rows WHERE row_id = 4711`,
  );
  expect(row).toEqual({ attempts: 5, isSoon: true });
});

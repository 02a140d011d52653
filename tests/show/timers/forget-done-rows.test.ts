import { expect, test } from "bun:test";
import { failingRows } from "#db/schema/failing-rows.ts";
import { noteFailure } from "#src/base/try-rows.ts";
import { forgetDoneRows } from "#src/show/timers/sweep.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build } = await testWorld();
const error = new Error("not today");
const noted = async () =>
  (await db.select().from(failingRows)).map(({ kind, rowId }) => `${kind} ${rowId}`).toSorted();

test("a row whose work something else has done is not listed any more, and one whose work is still to be done is", async () => {
  const due = await buildDueEvent(deps, -4_000);
  const done = await build.event("closed");
  // Without calls nothing is to be paid.
  const paid = await build.event("resolved");
  for (const id of [due.id, done.id]) await noteFailure(deps, { kind: "due_event", id, error });
  await noteFailure(deps, { kind: "settlement", id: paid.id, error });
  await noteFailure(deps, { kind: "fact", id: 1, error });
  expect(await noted()).toHaveLength(4);
  await forgetDoneRows(deps);
  expect(await noted()).toEqual([`due_event ${due.id}`, "fact 1"]);
});

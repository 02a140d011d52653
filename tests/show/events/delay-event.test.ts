import { expect, test } from "bun:test";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { buildAdmin, buildEvent, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();

test("an event cannot be moved to close when it opened: refused, and nothing changes", async () => {
  const actor = await buildAdmin(deps);
  const { id: sessionId } = await buildRunningSession(deps);
  await stopClockAt(deps.pool, new Date());
  const { id: eventId } = await buildEvent(deps, "open", { sessionId, durationSeconds: 30 });
  const before = await readEvent(deps, eventId);
  const { status, details } = await refusalOf(delayEvent(deps, { eventId, actor, seconds: -30 }));
  expect({ status, errors: details.errors }).toEqual({
    status: 422,
    errors: { seconds: ["must be greater than or equal to -29"] },
  });
  expect(await readEvent(deps, eventId)).toEqual(before);
  const { opensAt, closesAt } = await delayEvent(deps, { eventId, actor, seconds: -29 });
  expect((closesAt?.getTime() ?? 0) - (opensAt?.getTime() ?? 0)).toBe(1_000);
});

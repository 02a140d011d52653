import { describe, expect, test } from "bun:test";
import { sql, eq } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { destroyEvent } from "#src/show/events/destroy-event.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { listDifferences } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);
const { id: sessionId } = await buildRunningSession(deps);

const order = (eventId: number) => ({ eventId, actor: admin });

/** A visible event that its timer opens in 40 s. */
async function buildPlanned() {
  const session = await buildRunningSession(deps);
  const { id } = await buildEvent(deps, "visible", { sessionId: session.id });
  const inSeconds = (seconds: number) => sql`game_now() + make_interval(secs => ${seconds}::int)`;
  await deps.pool.db
    .update(events)
    .set({
      opensAt: inSeconds(40),
      closesAt: inSeconds(70),
      nextTransition: "open_event",
      dueAt: inSeconds(40),
    })
    .where(eq(events.id, id));
  return readEvent(deps, id);
}

describe("hiding and showing", () => {
  test("a hidden event does not open; shown again in time it does", async () => {
    const planned = await buildPlanned();
    expect(await hideEvent(deps, order(planned.id))).toMatchObject({
      state: "hidden",
      nextTransition: null,
      dueAt: null,
    });
    const shown = await showHiddenEvent(deps, order(planned.id));
    expect(shown).toMatchObject({ state: "visible", nextTransition: "open_event", dueAt: planned.opensAt });
  });

  test("an event that is shown after its planned time waits for an admin to open it", async () => {
    const { id } = await buildPlanned();
    await hideEvent(deps, order(id));
    await deps.pool.sql`UPDATE events SET opens_at = game_now() - interval '1 s' WHERE id = ${id}`;
    expect(await showHiddenEvent(deps, order(id))).toMatchObject({
      state: "visible",
      nextTransition: null,
      dueAt: null,
    });
  });

  test("the books of an event that was skipped with a call, and opened a second time, agree", async () => {
    const { id: userId } = await buildPlayer(deps);
    const { id } = await buildEvent(deps, "open", { sessionId });
    await buildCall(deps, { userId, eventId: id });
    await skipEvent(deps, order(id));
    await showHiddenEvent(deps, order(id));
    await openEvent(deps, order(id));
    await buildCall(deps, { userId, eventId: id });
    expect(await listDifferences(deps.pool.db)).toEqual([]);
  });

  test("a closed event that was skipped and is shown again opens as if it had never been closed", async () => {
    const session = await buildRunningSession(deps);
    const { id } = await buildEvent(deps, "open", { sessionId: session.id });
    await closeEvent(deps, order(id));
    await skipEvent(deps, order(id));
    await showHiddenEvent(deps, order(id));
    expect(await openEvent(deps, order(id))).toMatchObject({ state: "open", closedAt: null });
  });

  test("a resolved event is shown again as resolved, with its payouts", async () => {
    const player = await buildPlayer(deps);
    const { id } = await buildEvent(deps, "open", { sessionId });
    await buildCall(deps, { userId: player.id, eventId: id });
    await resolveAndPay(deps, { ...order(id), result: "false" });
    await hideEvent(deps, order(id));
    expect(await showHiddenEvent(deps, order(id))).toMatchObject({ state: "resolved", result: "false" });
  });
});

describe("destroying", () => {
  test.each(["draft", "visible", "hidden"] as const)(
    "a %s event is destroyed with its spots, and is not found",
    async (state) => {
      const { id } = await buildEvent(deps, state);
      expect(await destroyEvent(deps, order(id))).toMatchObject({ state: "soft_destroyed", dueAt: null });
      expect(await readSpots(deps, id)).toMatchObject({
        true: { state: "soft_destroyed" },
        false: { state: "soft_destroyed" },
      });
      expect((await refusalOf(destroyEvent(deps, order(id)))).status).toBe(404);
    },
  );

  test.each(["true", "void"] as const)(
    "a hidden event that was resolved %s without calls keeps its result",
    async (result) => {
      const { id } = await buildEvent(deps, "closed", { sessionId });
      await resolveAndPay(deps, { ...order(id), result });
      await hideEvent(deps, order(id));
      expect(await destroyEvent(deps, order(id))).toMatchObject({ state: "soft_destroyed", result });
    },
  );

  test.each(["open", "closed", "resolved"] as const)(
    "is refused when %s, and nothing changes",
    async (state) => {
      const event = await buildEvent(deps, state);
      const refusal = await refusalOf(destroyEvent(deps, order(event.id)));
      expect(refusal.details.errors).toEqual({ state: ['cannot transition via "Destroy"'] });
      expect(await readEvent(deps, event.id)).toEqual(event);
    },
  );

  test("is refused if calls exist, also of an earlier round, and nothing changes", async () => {
    const player = await buildPlayer(deps);
    const { id } = await buildEvent(deps, "open", { sessionId });
    await buildCall(deps, { userId: player.id, eventId: id });
    await resolveAndPay(deps, { ...order(id), result: "true" });
    const draft = await resetEvent(deps, { ...order(id), reason: "Once more" });
    const refusal = await refusalOf(destroyEvent(deps, order(id)));
    expect(refusal).toMatchObject({
      status: 422,
      message: "Cannot delete record because dependent calls exist",
    });
    expect(await readEvent(deps, id)).toEqual(draft);
  });
});

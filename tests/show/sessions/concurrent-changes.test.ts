import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { events } from "#db/schema/events.ts";
import { Refusal } from "#src/base/refusal.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { listDifferences } from "#tests/support/books.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, read } = await testWorld({}, { poolSize: 4 });

/** An action is done or refused; any other error is a bug. */
async function doneOrRefused(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

test("concurrent calls, closes, results and a stop are done or refused, and the books agree", async () => {
  const session = await build.runningSession();
  const [opened, players] = await Promise.all([
    Promise.all(Array.from({ length: 6 }, () => build.event("open", { sessionId: session.id }))),
    Promise.all(Array.from({ length: 8 }, () => build.player())),
  ]);
  const visible = await build.event("visible", { sessionId: session.id });
  const spots = await Promise.all(opened.map((event) => read.spots(event.id)));
  const placing = players.flatMap((player) =>
    spots.map((spot, index) =>
      placeCalls(
        deps.pool,
        (["true", "false"] as const).map((side) => ({
          userId: player.id,
          spotId: spot[side].id,
          wagerCents: 100 + index,
          idempotencyKey: `concurrent-${player.id}-${index}-${side}`,
        })),
      ),
    ),
  );
  const moving = opened.flatMap(({ id: eventId }, index) => {
    const result = index % 2 === 0 ? "true" : "false";
    return [
      timer.close(eventId),
      timer.settle(eventId, result),
      timer.settle(eventId, "void", { reason: "Called back" }),
    ];
  });
  const sessionOrder = { sessionId: session.id, actor: null };
  const stopping = [
    timer.stop(session.id),
    timer.open(visible.id),
    deactivateSession(deps, sessionOrder),
    activateSession(deps, sessionOrder),
    timer.stop(session.id),
  ];
  await Promise.all([...placing, ...moving, ...stopping].map(doneOrRefused));

  expect(await read.session(session.id)).toMatchObject({ state: "stopped", active: false });
  const left = await db.select().from(events).where(eq(events.sessionId, session.id));
  expect(new Set(left.map(({ state }) => state)).isSubsetOf(new Set(["closed", "resolved", "hidden"]))).toBe(
    true,
  );
  expect(await listDifferences(db)).toEqual([]);
});

import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { events } from "#db/schema/events.ts";
import { Refusal } from "#src/base/refusal.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { listDifferences } from "#tests/support/books.ts";
import {
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readSession,
  readSpots,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const deps = await testDeps({}, { poolSize: 4 });

/** An action is done or refused; any other error is a bug. */
async function doneOrRefused(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

test("concurrent calls, closes, results and a stop are done or refused, and the books agree", async () => {
  const session = await buildRunningSession(deps);
  const [opened, players] = await Promise.all([
    Promise.all(Array.from({ length: 6 }, () => buildEvent(deps, "open", { sessionId: session.id }))),
    Promise.all(Array.from({ length: 8 }, () => buildPlayer(deps))),
  ]);
  const visible = await buildEvent(deps, "visible", { sessionId: session.id });
  const spots = await Promise.all(opened.map((event) => readSpots(deps, event.id)));
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
    const command = { eventId, actor: null };
    const result = index % 2 === 0 ? "true" : "false";
    return [
      closeEvent(deps, command),
      resolveAndPay(deps, { ...command, result }),
      resolveAndPay(deps, { ...command, result: "void", reason: "Called back" }),
    ];
  });
  const sessionOrder = { sessionId: session.id, actor: null };
  const stopping = [
    stopSession(deps, sessionOrder),
    openEvent(deps, { eventId: visible.id, actor: null }),
    deactivateSession(deps, sessionOrder),
    activateSession(deps, sessionOrder),
    stopSession(deps, sessionOrder),
  ];
  await Promise.all([...placing, ...moving, ...stopping].map(doneOrRefused));

  expect(await readSession(deps, session.id)).toMatchObject({ state: "stopped", active: false });
  const left = await deps.pool.db.select().from(events).where(eq(events.sessionId, session.id));
  expect(new Set(left.map(({ state }) => state)).isSubsetOf(new Set(["closed", "resolved", "hidden"]))).toBe(
    true,
  );
  expect(await listDifferences(deps.pool.db)).toEqual([]);
});

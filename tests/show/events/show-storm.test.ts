import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { events } from "#db/schema/events.ts";
import { Refusal } from "#src/base/refusal.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { listDifferences } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readSession,
  readSpots,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const HANDS = 6;
const TURNS = 60;

const deps = await testDeps({}, { poolSize: 4 });
const admin = await buildAdmin(deps);

/** An action succeeds or is refused. Any other error, such as a deadlock, is a bug. */
async function doneOrRefused(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

test("concurrent random actions of admins succeed or are refused, and the books agree", async () => {
  const { id: sessionId } = await buildRunningSession(deps);
  await Promise.all([2, 3, 4].map((position) => buildEvent(deps, "open", { sessionId, position })));
  await Promise.all([5, 6, 7].map((position) => buildDraft(deps, { sessionId, position })));
  const players = await Promise.all(Array.from({ length: 5 }, () => buildPlayer(deps)));
  const ids = (
    await deps.pool.db.select({ id: events.id }).from(events).where(eq(events.sessionId, sessionId))
  ).map(({ id }) => id);
  const place = async (eventId: number) => {
    const spot = (await readSpots(deps, eventId))[anyOf(["true", "false"] as const)];
    const call = {
      userId: anyOf(players).id,
      spotId: spot.id,
      wagerCents: 10,
      idempotencyKey: crypto.randomUUID(),
    };
    return placeCalls(deps.pool, [call]);
  };
  const by = (eventId: number) => ({ eventId, actor: admin });
  const session = { sessionId, actor: admin };
  const presses: ((eventId: number) => Promise<unknown>)[] = [
    place,
    place,
    place,
    (id) => publishEvent(deps, by(id)),
    (id) => openEvent(deps, by(id)),
    (id) => closeEvent(deps, by(id)),
    (id) => resolveAndPay(deps, { ...by(id), result: anyOf(["true", "false", "void"]), reason: "Because" }),
    (id) => resetEvent(deps, { ...by(id), reason: "Once more" }),
    (id) => hideEvent(deps, by(id)),
    (id) => showHiddenEvent(deps, by(id)),
    (id) => advanceEvent(deps, by(id)),
    (id) => skipEvent(deps, by(id)),
    (id) => delayEvent(deps, { ...by(id), seconds: anyOf([-10, 30]) }),
    (id) => updateEvent(deps, { ...by(id), changes: { durationSeconds: anyOf([20, 60, 90]) } }),
    () => pauseSession(deps, session),
    () => resumeSession(deps, session),
    () => resumeSession(deps, session),
  ];
  const hand = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await doneOrRefused(anyOf(presses)(anyOf(ids)));
  };
  await Promise.all(Array.from({ length: HANDS }, hand));

  expect(await listDifferences(deps.pool.db)).toEqual([]);
  const { state } = await readSession(deps, sessionId);
  const left = await deps.pool.db.select().from(events).where(eq(events.sessionId, sessionId));
  for (const event of left) expectScheduled(event, { paused: state === "paused" });
});

/** In a paused session an event has a remaining time and no due time; in a running one the other way round. */
function expectScheduled(event: EventRow, { paused }: { paused: boolean }): void {
  const { id, dueAt, remainingMs, closesAt, opensAt, nextTransition } = event;
  const isPlanned = nextTransition !== null;
  expect({ id, due: dueAt !== null, remains: remainingMs !== null }).toEqual({
    id,
    due: isPlanned && !paused,
    remains: isPlanned && paused,
  });
  if (event.state === "open") expect(nextTransition).toBe("close_event");
  if (dueAt === null) return;
  if (event.state === "open") expect(dueAt.getTime()).toBe(closesAt?.getTime() ?? Number.NaN);
  if (event.state === "visible") expect(dueAt.getTime()).toBe(opensAt?.getTime() ?? Number.NaN);
}

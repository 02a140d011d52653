import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { disabledReasonForAct, disabledReasonForMove } from "#client/screens/show/disabled-reason.ts";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { destroyEvent } from "#src/show/events/destroy-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import {
  buildAdmin,
  buildDraft,
  buildEvent,
  buildRunningSession,
  buildSession,
  readEvent,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { readHostView } from "./host-view.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);

const by = ({ id }: EventRow) => ({ eventId: id, actor: admin });
const verbs = {
  advance: (event: EventRow) => advanceEvent(deps, by(event)),
  skip: (event: EventRow) => skipEvent(deps, by(event)),
  delay: (event: EventRow) => delayEvent(deps, { ...by(event), seconds: 30 }),
  destroy: (event: EventRow) => destroyEvent(deps, by(event)),
};
/** Written independently of the product's tables: a wrong row there must fail here. */
const table: Record<keyof typeof verbs, { from: EventState[]; label: string }> = {
  advance: { from: ["draft", "visible", "open", "closed"], label: "Advance" },
  skip: { from: ["visible", "open", "closed"], label: "Skip" },
  delay: { from: ["draft", "visible", "open", "closed"], label: "Delay" },
  destroy: { from: ["draft", "visible", "hidden"], label: "Destroy" },
};
/** The state that each action leads to. Destroying is not an action of the running order. */
const leadsTo = {
  advance: { draft: "visible", visible: "open", open: "closed", closed: "closed" },
  skip: { visible: "hidden", open: "hidden", closed: "hidden" },
  delay: { draft: "draft", visible: "visible", open: "open", closed: "closed" },
  destroy: { draft: "soft_destroyed", visible: "soft_destroyed", hidden: "soft_destroyed" },
} as const satisfies Record<keyof typeof verbs, Partial<Record<EventState, EventState>>>;

/** An event of a running session in that state, with another one after it. It is planned if it has not opened. */
async function buildPlanned(state: EventState, sessionId: number): Promise<EventRow> {
  await buildDraft(deps, { sessionId, position: 9 });
  const event = await buildEvent(deps, state, { sessionId, autoResult: "true", resolveWithinSeconds: 600 });
  if (state !== "draft" && state !== "visible") return event;
  const inSeconds = (seconds: number) => sql`game_now() + make_interval(secs => ${seconds}::int)`;
  await deps.pool.db
    .update(events)
    .set({
      opensAt: inSeconds(60),
      closesAt: inSeconds(90),
      nextTransition: state === "draft" ? "publish_event" : "open_event",
      dueAt: inSeconds(state === "draft" ? 50 : 60),
    })
    .where(eq(events.id, event.id));
  return readEvent(deps, event.id);
}

/** Why the host's browser disables the button; null: it is enabled. */
async function disabledReason({ id: eventId }: EventRow, sessionId: number, action: keyof typeof verbs) {
  const { session, event } = await readHostView(deps, { eventId, sessionId });
  return action === "destroy"
    ? disabledReasonForMove(session, event, action)
    : disabledReasonForAct(session, event, action);
}

const counts = async () => [await deps.pool.db.$count(audit), await deps.pool.db.$count(outbox)];

describe.each(["advance", "skip", "delay", "destroy"] as const)("%s", (action) => {
  const { from, label } = table[action];

  test.each(eventStates.filter((state) => from.includes(state)))("is done when %s", async (state) => {
    const { id: sessionId } = await buildRunningSession(deps);
    const event = await buildPlanned(state, sessionId);
    expect(await disabledReason(event, sessionId, action)).toBeNull();
    const wanted: Partial<Record<EventState, EventState>> = leadsTo[action];
    expect((await verbs[action](event)).state).toBe(wanted[state] ?? "draft");
  });

  test.each(eventStates.filter((state) => !from.includes(state) && state !== "soft_destroyed"))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const { id: sessionId } = await buildRunningSession(deps);
      const event = await buildPlanned(state, sessionId);
      expect(await disabledReason(event, sessionId, action)).not.toBeNull();
      const before = await counts();
      const refusal = await refusalOf(verbs[action](event));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
      expect(await readEvent(deps, event.id)).toEqual(event);
      expect(await counts()).toEqual(before);
    },
  );

  test("answers 404 for a destroyed event", async () => {
    const event = await buildEvent(deps, "soft_destroyed");
    expect((await refusalOf(verbs[action](event))).status).toBe(404);
    expect(await readEvent(deps, event.id)).toEqual(event);
  });
});

async function buildSessionWithDraft(state: SessionState): Promise<EventRow> {
  const session = state === "pending" ? await buildSession(deps) : await buildRunningSession(deps);
  const event = await buildPlanned("visible", session.id);
  const order = { sessionId: session.id, actor: admin };
  if (state === "paused") await pauseSession(deps, order);
  if (state === "stopped") await stopSession(deps, order);
  return readEvent(deps, event.id);
}

test.each(sessionStates.filter((state) => state === "pending" || state === "stopped"))(
  "actions are refused in a %s session, and nothing changes",
  async (state) => {
    const event = await buildSessionWithDraft(state);
    for (const action of ["advance", "skip", "delay"] as const) {
      const refusal = await refusalOf(verbs[action](event));
      expect(refusal.details).toMatchObject({
        errors: { state: [`cannot transition via "${table[action].label}"`] },
        detail: "The session is not running.",
      });
    }
    expect(await readEvent(deps, event.id)).toEqual(event);
  },
);

test("delay and skip shift the remaining times of a paused session", async () => {
  const event = await buildSessionWithDraft("paused");
  const delayed = await verbs.delay(event);
  expect(delayed).toMatchObject({ dueAt: null, remainingMs: (event.remainingMs ?? 0) + 30_000 });
  expect(await verbs.skip(event)).toMatchObject({ state: "hidden", remainingMs: null });
});

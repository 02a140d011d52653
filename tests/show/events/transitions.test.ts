import { describe, expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { disabledReasonForMove } from "#client/screens/show/disabled-reason.ts";
import { type EventState } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { outbox } from "#db/schema/outbox.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { buildAdmin, buildEvent, buildRunningSession, readEvent, readSpots } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { readHostView } from "./host-view.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);
const { id: sessionId } = await buildRunningSession(deps);

/** The allowed transitions and the labels, written independently of the product's table: a wrong row there must fail here. */
type Name = "publish_event" | "open_event" | "close_event" | "resolve" | "reset" | "hide" | "show";
const transitions: Record<Name, { from: EventState[]; to: EventState }> = {
  publish_event: { from: ["draft"], to: "visible" },
  open_event: { from: ["visible"], to: "open" },
  close_event: { from: ["open"], to: "closed" },
  resolve: { from: ["open", "closed", "resolved"], to: "resolved" },
  reset: { from: ["visible", "open", "closed", "resolved", "hidden"], to: "draft" },
  hide: { from: ["visible", "resolved"], to: "hidden" },
  show: { from: ["hidden"], to: "visible" },
};
const labels = {
  draft: "Draft",
  visible: "Visible",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
};
const states = ["draft", "visible", "open", "closed", "resolved", "hidden"] as const;

/** Why the host's browser disables the button; null: it is enabled. */
async function disabledReason(eventId: number, name: Name): Promise<string | null> {
  const { session, event } = await readHostView(deps, { eventId, sessionId });
  return disabledReasonForMove(session, event, name);
}

const bodyOf = (stateEvent: string) => ({
  stateEvent,
  ...(stateEvent === "resolve" ? { result: false, reason: "It was called back" } : {}),
});
const ask = (eventId: number, stateEvent: string) =>
  changeEventState(deps, { eventId, actor: admin, body: bodyOf(stateEvent) });

const names: Name[] = ["publish_event", "open_event", "close_event", "resolve", "reset", "hide", "show"];

describe.each(names)("%s", (name) => {
  const { from, to } = transitions[name];
  test.each(states.filter((state) => from.includes(state)))(
    "leads from %s to the table's state, with a fact and an audit line",
    async (state) => {
      const event = await buildEvent(deps, state, { sessionId });
      expect(await disabledReason(event.id, name)).toBeNull();
      const moved = await ask(event.id, name);
      expect(moved.state).toBe(to);
      expect(moved).toEqual(await readEvent(deps, event.id));
      expect(moved.version).toBeGreaterThan(event.version);
      expect(moved.scheduleVersion).toBeGreaterThan(event.scheduleVersion);
      const [fact] = await deps.pool.db.select().from(outbox).orderBy(desc(outbox.id)).limit(1);
      expect(fact).toMatchObject({
        kind: "event_changed",
        payload: { eventId: event.id, change: name },
      });
      const [line] = await deps.pool.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
      expect(line).toMatchObject({
        actorId: admin.id,
        action: name,
        subjectId: event.id,
        after: { state: to },
      });
    },
  );

  test.each(states.filter((state) => !from.includes(state)))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const event = await buildEvent(deps, state);
      expect(await disabledReason(event.id, name)).not.toBeNull();
      const spotsBefore = await readSpots(deps, event.id);
      const auditBefore = await deps.pool.db.$count(audit, eq(audit.subjectId, event.id));
      const refusal = await refusalOf(ask(event.id, name));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({
        stateEvent: [`cannot transition when ${labels[state]}`],
      });
      expect(await readEvent(deps, event.id)).toEqual(event);
      expect(await readSpots(deps, event.id)).toEqual(spotsBefore);
      expect(await deps.pool.db.$count(audit, eq(audit.subjectId, event.id))).toBe(auditBefore);
    },
  );

  test("answers 404 for a destroyed and for an unknown event", async () => {
    const destroyed = await buildEvent(deps, "soft_destroyed");
    expect((await refusalOf(ask(destroyed.id, name))).status).toBe(404);
    expect((await refusalOf(ask(999_999_999, name))).status).toBe(404);
    expect(await readEvent(deps, destroyed.id)).toEqual(destroyed);
  });
});

test.each(["destroy", "explode", "", "toString"])("the transition name %p is refused", async (stateEvent) => {
  const event = await buildEvent(deps, "visible");
  const refusal = await refusalOf(
    changeEventState(deps, { eventId: event.id, actor: admin, body: { stateEvent } }),
  );
  expect(refusal.details.errors).toEqual({ stateEvent: ["is invalid"] });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("a body without a transition is refused", async () => {
  const event = await buildEvent(deps, "visible");
  const refusal = await refusalOf(changeEventState(deps, { eventId: event.id, actor: admin, body: {} }));
  expect(refusal.details.errors).toEqual({ stateEvent: ["is required"] });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

describe("a new state", () => {
  test.each([
    ["draft", "visible"],
    ["visible", "open"],
    ["open", "closed"],
    ["visible", "hidden"],
    ["hidden", "visible"],
    ["closed", "draft"],
  ] as const)("from %s leads to %s by the one event that does", async (from, state) => {
    const event = await buildEvent(deps, from);
    const moved = await changeEventState(deps, { eventId: event.id, actor: admin, body: { state } });
    expect(moved.state).toBe(state);
  });

  test("is refused like the transition to it", async () => {
    const event = await buildEvent(deps, "closed");
    const refusal = await refusalOf(
      changeEventState(deps, { eventId: event.id, actor: admin, body: { state: "open" } }),
    );
    expect(refusal.details.errors).toEqual({ stateEvent: ["cannot transition when Closed"] });
    expect(await readEvent(deps, event.id)).toEqual(event);
  });

  test("is invalid if no transition leads to it: soft_destroyed", async () => {
    const event = await buildEvent(deps, "visible");
    const refusal = await refusalOf(
      changeEventState(deps, { eventId: event.id, actor: admin, body: { state: "soft_destroyed" } }),
    );
    expect(refusal.details.errors).toEqual({ state: ["is invalid"] });
    expect(await readEvent(deps, event.id)).toEqual(event);
  });
});

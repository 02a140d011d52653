import { describe, expect, test } from "bun:test";
import { desc, eq, sql } from "drizzle-orm";
import { disabledReasonForMove } from "#client/screens/show/disabled-reason.ts";
import type { EventState } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { setRows } from "#tests/support/rows.ts";
import { testWorld } from "#tests/support/world.ts";
import { readHostView } from "./host-view.ts";

const { deps, db, by, build, read, refused } = await testWorld();
const admin = await build.admin();
const { id: sessionId } = await build.runningSession();

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
      const event = await build.event(state, { sessionId });
      expect(await disabledReason(event.id, name)).toBeNull();
      const moved = await ask(event.id, name);
      expect(moved.state).toBe(to);
      expect(moved).toEqual(await read.event(event.id));
      expect(moved.version).toBeGreaterThan(event.version);
      expect(moved.scheduleVersion).toBeGreaterThan(event.scheduleVersion);
      const [fact] = await db.select().from(outbox).orderBy(desc(outbox.id)).limit(1);
      expect(fact).toMatchObject({ kind: "event_changed", payload: { eventId: event.id, change: name } });
      const line = await read.lastAudit();
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
      const event = await build.event(state);
      expect(await disabledReason(event.id, name)).not.toBeNull();
      const refusal = await refused(() => ask(event.id, name));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ stateEvent: [`cannot transition when ${labels[state]}`] });
    },
  );

  test("answers 404 for a destroyed and for an unknown event", async () => {
    const destroyed = await build.event("soft_destroyed");
    expect((await refusalOf(ask(destroyed.id, name))).status).toBe(404);
    expect((await refusalOf(ask(999_999_999, name))).status).toBe(404);
    expect(await read.event(destroyed.id)).toEqual(destroyed);
  });
});

test.each([
  ["draft", "visible"],
  ["visible", "open"],
  ["open", "closed"],
  ["visible", "hidden"],
  ["hidden", "visible"],
  ["closed", "draft"],
] as const)("a new state from %s leads to %s by the one event that does", async (from, state) => {
  const event = await build.event(from);
  const moved = await changeEventState(deps, { eventId: event.id, actor: admin, body: { state } });
  expect(moved.state).toBe(state);
});

test("a new state is refused like the transition to it", async () => {
  const event = await build.event("closed");
  const refusal = await refused(() =>
    changeEventState(deps, { eventId: event.id, actor: admin, body: { state: "open" } }),
  );
  expect(refusal.details.errors).toEqual({ stateEvent: ["cannot transition when Closed"] });
});

/** A visible event that its timer opens in 40 s. */
async function buildPlanned() {
  const session = await build.runningSession();
  const { id } = await build.event("visible", { sessionId: session.id });
  const inSeconds = (seconds: number) => sql`game_now() + make_interval(secs => ${seconds}::int)`;
  await setRows(db, events, eq(events.id, id), {
    opensAt: inSeconds(40),
    closesAt: inSeconds(70),
    nextTransition: "open_event",
    dueAt: inSeconds(40),
  });
  return read.event(id);
}

test("hiding and showing: a hidden event does not open; shown again in time it does, and a resolved one is resolved with its payouts", async () => {
  const planned = await buildPlanned();
  expect(await by(admin).hide(planned.id)).toMatchObject({
    state: "hidden",
    nextTransition: null,
    dueAt: null,
  });
  const shown = await by(admin).unhide(planned.id);
  expect(shown).toMatchObject({ state: "visible", nextTransition: "open_event", dueAt: planned.opensAt });
  const player = await build.player();
  const { id } = await build.event("open", { sessionId });
  await build.call({ userId: player.id, eventId: id });
  await by(admin).settle(id, "false");
  await by(admin).hide(id);
  expect(await by(admin).unhide(id)).toMatchObject({ state: "resolved", result: "false" });
});

test.each(["draft", "visible", "hidden"] as const)(
  "destroying: a %s event is destroyed with its spots, and is not found",
  async (state) => {
    const { id } = await build.event(state);
    expect(await by(admin).destroy(id)).toMatchObject({ state: "soft_destroyed", dueAt: null });
    expect(await read.spots(id)).toMatchObject({
      true: { state: "soft_destroyed" },
      false: { state: "soft_destroyed" },
    });
    expect((await refusalOf(by(admin).destroy(id))).status).toBe(404);
  },
);

test("destroying is refused if calls exist, also of an earlier round, and nothing changes", async () => {
  const player = await build.player();
  const { id } = await build.event("open", { sessionId });
  await build.call({ userId: player.id, eventId: id });
  await by(admin).settle(id);
  await by(admin).reset(id, "Once more");
  const refusal = await refused(() => by(admin).destroy(id));
  expect(refusal).toMatchObject({
    status: 422,
    message: "Cannot delete record because dependent calls exist",
  });
});

test("an event cannot be moved to close when it opened: refused, and nothing changes", async () => {
  const actor = await build.admin();
  const { id: sessionId } = await build.runningSession();
  await stopClockAt(deps.pool, new Date());
  const { id: eventId } = await build.event("open", { sessionId, durationSeconds: 30 });
  const { status, details } = await refused(() => by(actor).delay(eventId, -30));
  expect({ status, errors: details.errors }).toEqual({
    status: 422,
    errors: { seconds: ["must be greater than or equal to -29"] },
  });
  const { opensAt, closesAt } = await by(actor).delay(eventId, -29);
  expect((closesAt?.getTime() ?? 0) - (opensAt?.getTime() ?? 0)).toBe(1_000);
});

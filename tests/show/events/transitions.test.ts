import { describe, expect, test } from "bun:test";
import { desc, eq, sql } from "drizzle-orm";
import { disabledReasonForAct, disabledReasonForMove } from "#client/screens/show/running/disabled-reason.ts";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { readHostView } from "./host-view.ts";

const { deps, db, by, build, read, refused, timer, set, stopClockAt } = await testWorld();
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
      expect(await read.lastAudit()).toMatchObject({
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
  await set(events, id, {
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
  expect(await refused(() => by(admin).destroy(id))).toMatchObject({
    status: 422,
    message: "Cannot delete record because dependent calls exist",
  });
});

test("an event cannot be moved to close when it opened: refused, and nothing changes", async () => {
  const actor = await build.admin();
  const { id: sessionId } = await build.runningSession();
  await stopClockAt(new Date());
  const { id: eventId } = await build.event("open", { sessionId, durationSeconds: 30 });
  const { status, details } = await refused(() => by(actor).delay(eventId, -30));
  expect({ status, errors: details.errors }).toEqual({
    status: 422,
    errors: { seconds: ["must be greater than or equal to -29"] },
  });
  const { opensAt, closesAt } = await by(actor).delay(eventId, -29);
  expect((closesAt?.getTime() ?? 0) - (opensAt?.getTime() ?? 0)).toBe(1_000);
});

const host = await build.admin();
const other = await build.admin();

type Settings = { settlementDelaySeconds?: number; smallRoom?: boolean };

/** An open event of a running session, with a call of the host. */
async function buildStake(settings: Settings = {}) {
  const { session, event } = await build.openShow({}, { settings });
  const callId = await build.call({ userId: host.id, eventId: event.id });
  return { eventId: event.id, sessionId: session.id, callId };
}

/** What a host can do to an open event with calls. */
const acts: Record<string, (eventId: number, actor: BuiltUser) => Promise<unknown>> = {
  "close it": (eventId, actor) => by(actor).close(eventId),
  "advance it": (eventId, actor) => by(actor).advance(eventId),
  "delay it": (eventId, actor) => by(actor).delay(eventId, 30),
  "prolong it": (eventId, actor) => by(actor).update(eventId, { durationSeconds: 900 }),
  "give its result more time": (eventId, actor) => by(actor).update(eventId, { resolveWithinSeconds: 900 }),
  "resolve it": (eventId, actor) => by(actor).resolve(eventId),
  "reset it": (eventId, actor) => by(actor).reset(eventId, "Again"),
};

test.each(Object.entries(acts))(
  "a host with a call on an open event cannot %s, and nothing changes; another host can",
  async (_, act) => {
    const { eventId } = await buildStake();
    const refusal = await refused(() => act(eventId, host));
    expect(refusal).toMatchObject({ status: 403, code: "forbidden" });
    expect(refusal.details.detail).toMatch(/^You have a call on this event\. Somebody else must /);
    await act(eventId, other);
  },
);

test("a host with a call on an open event cannot close it beside hosts who close other events, and these are closed", async () => {
  const staked = await buildStake();
  const { event: free } = await build.openShow();
  const [refusal] = await Promise.all([refusalOf(by(host).close(staked.eventId)), by(host).close(free.id)]);
  expect(refusal.status).toBe(403);
  expect((await read.event(staked.eventId)).state).toBe("open");
  expect((await read.event(free.id)).state).toBe("closed");
});

test.each(["open", "closed"])(
  "a host skips an event that is %s with own calls, which come back with the others",
  async (state) => {
    const { eventId, callId } = await buildStake();
    const player = await build.player();
    await build.call({ userId: host.id, eventId, side: "false", wagerCents: 50 });
    await build.call({ userId: player.id, eventId, wagerCents: 400 });
    if (state === "closed") await timer.close(eventId);
    const skipped = await by(host).skip(eventId, "No time");
    expect(skipped).toMatchObject({ state: "hidden" });
    const rows = await db.select().from(calls).where(eq(calls.eventId, eventId));
    expect(rows.map((call) => [call.state, call.refundedBy])).toEqual(
      Array.from({ length: 3 }, () => ["soft_destroyed", "skip"]),
    );
    expect(rows.map(({ id }) => id)).toContain(callId);
    const lines = await read.audit({ subjectId: eventId });
    const line = lines.find(({ action, subjectType }) => action === "skip" && subjectType === "event");
    expect(line).toMatchObject({ actorId: host.id, reason: "No time", after: { takenBackCents: 150 } });
  },
);

test("the clock closes an event also where its host has a call", async () => {
  const { eventId } = await buildStake();
  expect(await timer.close(eventId)).toMatchObject({ state: "closed" });
});

test.each([
  ["title", "Will it rain?"],
  ["description", "At noon"],
  ["trueLabel", "Rain"],
  ["falseLabel", "Sun"],
])("the %s stands from the first call on, for every host, and nothing changes", async (field, text) => {
  const { eventId, callId } = await buildStake();
  const change = () => by(other).update(eventId, { [field]: text });
  expect(await refused(change)).toMatchObject({
    status: 422,
    details: {
      errors: { [field]: ["is invalid"] },
      detail: "Somebody has called: the question and its labels stand.",
    },
  });
  await cancelCall(db, { userId: host.id, callId });
  expect(await change()).toMatchObject({ [field]: text });
});

const verbs = {
  advance: (event: EventRow) => by(admin).advance(event.id),
  skip: (event: EventRow) => by(admin).skip(event.id),
  delay: (event: EventRow) => by(admin).delay(event.id, 30),
  destroy: (event: EventRow) => by(admin).destroy(event.id),
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
async function buildPlannedIn(state: EventState, sessionId: number): Promise<EventRow> {
  await build.draft({ sessionId, position: 9 });
  const event = await build.event(state, { sessionId, autoResult: "true", resolveWithinSeconds: 600 });
  if (state !== "draft" && state !== "visible") return event;
  const inSeconds = (seconds: number) => sql`game_now() + make_interval(secs => ${seconds}::int)`;
  await set(events, event.id, {
    opensAt: inSeconds(60),
    closesAt: inSeconds(90),
    nextTransition: state === "draft" ? "publish_event" : "open_event",
    dueAt: inSeconds(state === "draft" ? 50 : 60),
  });
  return read.event(event.id);
}

/** Why the host's browser disables the button; null: it is enabled. */
async function reasonOfButton({ id: eventId }: EventRow, sessionId: number, action: keyof typeof verbs) {
  const { session, event } = await readHostView(deps, { eventId, sessionId });
  return action === "destroy"
    ? disabledReasonForMove(session, event, action)
    : disabledReasonForAct(session, event, action);
}

describe.each(["advance", "skip", "delay", "destroy"] as const)("%s", (action) => {
  const { from, label } = table[action];

  test.each(eventStates.filter((state) => from.includes(state)))("is done when %s", async (state) => {
    const { id: sessionId } = await build.runningSession();
    const event = await buildPlannedIn(state, sessionId);
    expect(await reasonOfButton(event, sessionId, action)).toBeNull();
    const wanted: Partial<Record<EventState, EventState>> = leadsTo[action];
    expect((await verbs[action](event)).state).toBe(wanted[state] ?? "draft");
  });

  test.each(eventStates.filter((state) => !from.includes(state) && state !== "soft_destroyed"))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const { id: sessionId } = await build.runningSession();
      const event = await buildPlannedIn(state, sessionId);
      expect(await reasonOfButton(event, sessionId, action)).not.toBeNull();
      const refusal = await refused(() => verbs[action](event));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
    },
  );
});

async function buildInSession(state: SessionState): Promise<EventRow> {
  const session = state === "pending" ? await build.session() : await build.runningSession();
  const event = await buildPlannedIn("visible", session.id);
  if (state === "paused") await by(admin).pause(session.id);
  if (state === "stopped") await by(admin).stop(session.id);
  return read.event(event.id);
}

test.each(sessionStates.filter((state) => state === "pending" || state === "stopped"))(
  "actions are refused in a %s session, and nothing changes",
  async (state) => {
    const event = await buildInSession(state);
    for (const action of ["advance", "skip", "delay"] as const) {
      expect((await refused(() => verbs[action](event))).details).toMatchObject({
        errors: { state: [`cannot transition via "${table[action].label}"`] },
        detail: "The session is not running.",
      });
    }
  },
);

test("actions are refused without a session, and nothing changes", async () => {
  const event = await build.draft();
  for (const action of ["advance", "skip", "delay"] as const) {
    const { errors } = (await refused(() => verbs[action](event))).details;
    expect(errors).toEqual({ state: [`cannot transition via "${table[action].label}"`] });
  }
});

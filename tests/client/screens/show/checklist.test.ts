import { expect, test } from "bun:test";
import { originalPlan } from "#client/running-order/schedule.ts";
import type { ActiveElsewhere } from "#client/screens/show/running/show-state.ts";
import { listChecks } from "#client/screens/show/start/checklist.tsx";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { buildEvent, buildPlan, buildSession } from "#tests/client/events/action-states.ts";

type Given = Partial<Omit<EventView, "plan">> & { plan?: Partial<EventPlan> };

/** A draft of 30 s that opens 10 s after the one before. */
function draft(id: number, given: Given = {}): EventView {
  const labels = { trueLabel: "Yes", falseLabel: "No" };
  const changes = { ...labels, ...given, plan: buildPlan({ offsetSeconds: 10, ...given.plan }) };
  return buildEvent({ id, state: "draft", openedAt: null, durationSeconds: 30, ...changes });
}

const pending = buildSession({
  state: "pending",
  startedAt: null,
  active: false,
  playersOnline: 2,
  settings: { ...buildSession().settings, settlementDelaySeconds: 5 },
});

/** The checks by name, as "tone: text". */
function checksOf(events: EventView[], session: SessionView = pending, other: ActiveElsewhere | null = null) {
  const planned = originalPlan(session, events);
  const checks = listChecks({ session, events, planned, activeElsewhere: other });
  return Object.fromEntries(checks.map(({ name, tone, text }) => [name, `${tone}: ${text}`]));
}

const first = draft(1, { plan: { offsetSeconds: 0 } });

test("a session without actions cannot start, and a show that is as it should be has nothing to look at", () => {
  expect(checksOf([])).toEqual({ actions: "stop: There is no action yet. Add one under New Action." });
  const checks = listChecks({
    session: pending,
    events: [first, draft(2)],
    planned: originalPlan(pending, [first, draft(2)]),
    activeElsewhere: null,
  });
  expect(checks.map(({ tone }) => tone)).not.toContain("look");
  expect(checks[0]?.text).toBe("2 actions, 1:10 from the start to the last close.");
});

const plain = { trueLabel: "True", falseLabel: "False" };
const house = { id: 2, name: "House games", slug: "house-games", playersOnline: 3 };
const paidAtOnce = { ...pending, settings: { ...pending.settings, settlementDelaySeconds: 0 } };
const nobody = { ...pending, playersOnline: 0, registrationsCount: 0 };

type Shown = { events: EventView[]; session?: SessionView; other?: ActiveElsewhere };

test.each<[name: string, text: string, shown: Shown]>([
  [
    "actions",
    "ok: 2 actions. Some wait for you, so the end is open.",
    { events: [first, draft(2, { plan: { startMode: "by_hand" } })] },
  ],
  [
    "labels",
    "look: Both answers have the same name in 2.",
    { events: [first, draft(2, { trueLabel: "Rovers", falseLabel: "rovers" })] },
  ],
  [
    "labels",
    "info: The answers are plain True and False in 2, 3, 4, 5, 6, 7 and 1 more.",
    { events: [first, ...[2, 3, 4, 5, 6, 7, 8].map((id) => draft(id, plain))] },
  ],
  [
    "pace",
    "look: No time to decide and to see the result before it opens: 2. Plan a wait of 10 s, or one after the result.",
    { events: [first, draft(2, { plan: { offsetSeconds: 0 } }), draft(3)] },
  ],
  [
    "pace",
    "look: No time to decide and to see the result before it opens: 2. Plan a wait of 14 s, or one after the result.",
    {
      events: [draft(1, { plan: { offsetSeconds: 0, explanation: "why ".repeat(30) } }), draft(2), draft(3)],
    },
  ],
  [
    "pace",
    "look: Opens while the one before is still open: 2.",
    { events: [first, draft(2, { plan: { startMode: "offset", offsetSeconds: 20 } })] },
  ],
  [
    "delay",
    "look: Results are paid at once. A wrong one has to be corrected in front of the players.",
    { events: [first], session: paidAtOnce },
  ],
  [
    "active",
    "look: Players are sent to House games now, with 3 players in it.",
    { events: [first], other: { ...house, state: "running" } },
  ],
  [
    "active",
    "info: Players are sent to House games now, which has not started.",
    { events: [first], other: { ...house, state: "pending" } },
  ],
  ["players", "ok: 2 players here, 2 joined before.", { events: [first] }],
  ["players", "info: Nobody is here yet. Give players the link.", { events: [first], session: nobody }],
])("the check of the %s says “%s”", (name, text, { events, session, other }) => {
  expect(checksOf(events, session, other)[name]).toBe(text);
});

test("the pace that is rushed brings the changes that answer it", () => {
  const events = [
    first,
    draft(2, { plan: { offsetSeconds: 2 } }),
    draft(3, { plan: { resolveWithinSeconds: 4 } }),
  ];
  const planned = originalPlan(pending, events);
  const checks = listChecks({ session: pending, events, planned, activeElsewhere: null });
  expect(checks.find(({ name }) => name === "pace")?.changes).toEqual(
    new Map([
      [2, { offsetSeconds: 10 }],
      [3, { resolveWithinSeconds: 10 }],
    ]),
  );
});
test("the pace counts the delay of the payment, and then the wait, where an action waits for a result", () => {
  const follows = draft(2, { plan: { startMode: "after_result", offsetSeconds: 2 } });
  const toned = (settlementDelaySeconds: number) => {
    const session = { ...pending, settings: { ...pending.settings, settlementDelaySeconds } };
    const events = [first, follows, draft(3)];
    const planned = originalPlan(session, events);
    const checks = listChecks({ session, events, planned, activeElsewhere: null });
    const pace = checks.find(({ name }) => name === "pace");
    return [pace?.tone, [...(pace?.changes ?? [])]];
  };
  expect(toned(2)).toEqual(["look", [[2, { offsetSeconds: 3 }]]]);
  expect(toned(3)).toEqual(["ok", []]);
});

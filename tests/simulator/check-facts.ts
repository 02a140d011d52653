import { expect } from "bun:test";
import { asc, gt } from "drizzle-orm";
import * as v from "valibot";
import { type EventState } from "#db/lists/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { eventTransitions } from "#src/events/contract.ts";
import { type Fact, fact } from "#src/outbox/write-fact.ts";
import type { EventSnapshot, World } from "./world.ts";

/** States from which an event may also be hidden: skipping hides from open and closed, stopping the session from draft. */
const ALSO_HIDDEN_FROM: readonly EventState[] = ["draft", "open", "closed"];

/** Checks that the facts of the outbox, applied in order by the transition table, lead every event to its state. */
export async function checkFacts(
  world: World,
  snapshots: readonly EventSnapshot[],
  calls: readonly { id: number }[],
): Promise<void> {
  const facts = await listFacts(world);
  for (const { event } of snapshots) {
    const changes = facts.flatMap((each) =>
      each.kind === "event_changed" && each.eventId === event.id ? [each.change] : [],
    );
    expect({ state: stateAfter(changes), changes }).toEqual({ state: event.state, changes });
  }
  const placed = facts.flatMap((each) => (each.kind === "calls_placed" ? each.callIds : []));
  expect(placed.toSorted((one, other) => one - other)).toEqual(calls.map(({ id }) => id));
}

/** The state of a draft after these changes. */
function stateAfter(changes: readonly string[]): EventState {
  let state: EventState = "draft";
  let resolved = false;
  for (const change of changes) {
    if (change === "update" || change === "pay") continue;
    if (!isTransition(change)) throw new Error(`${change} is not a transition`);
    const { from, to }: { from: readonly EventState[]; to: EventState } = eventTransitions[change];
    const allowed = from.includes(state) || (change === "hide" && ALSO_HIDDEN_FROM.includes(state));
    if (!allowed) throw new Error(`the outbox has ${change} from ${state}`);
    if (change === "resolve") resolved = true;
    if (change === "reset") resolved = false;
    state = change === "show" && resolved ? "resolved" : to;
  }
  return state;
}

const isTransition = (name: string): name is keyof typeof eventTransitions =>
  Object.hasOwn(eventTransitions, name);

async function listFacts({ deps, lastFactId }: World): Promise<Fact[]> {
  const rows = await deps.pool.db
    .select({ kind: outbox.kind, payload: outbox.payload })
    .from(outbox)
    .where(gt(outbox.id, lastFactId))
    .orderBy(asc(outbox.id));
  return rows.map(({ kind, payload }) => v.parse(fact, { kind, ...v.parse(v.looseObject({}), payload) }));
}

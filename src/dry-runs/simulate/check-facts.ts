import { asc, gt } from "drizzle-orm";
import * as v from "valibot";
import type { EventState } from "#db/lists/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { type Fact, fact } from "#src/base/outbox/write-fact.ts";
import { eventTransitions } from "#src/show/events/contract.ts";
import { differ } from "./differ.ts";
import { type EventSnapshot, nameOf, type Show } from "./show.ts";

/** States from which an event may also be hidden: skipping hides from open and closed, stopping the session from draft. */
const ALSO_HIDDEN_FROM: readonly EventState[] = ["draft", "open", "closed"];

/** Where the facts of the outbox, applied in order by the transition table, do not lead an event to its state. */
export async function checkFacts(
  show: Show,
  snapshots: readonly EventSnapshot[],
  calls: readonly { id: number }[],
): Promise<string[]> {
  const facts = await listFacts(show);
  const placed = facts.flatMap((each) => (each.kind === "calls_placed" ? each.callIds : []));
  const ordered = placed.toSorted((one, other) => one - other);
  return [
    ...snapshots.flatMap(({ event }) =>
      checkChanges(nameOf(show, event.id), event.state, changesOf(facts, event)),
    ),
    ...(ordered.length === calls.length && ordered.every((id, index) => id === calls[index]?.id)
      ? []
      : [`the outbox has ${ordered.length} placed calls, and there are ${calls.length}, or others`]),
  ];
}

function changesOf(facts: readonly Fact[], { id }: { id: number }): string[] {
  return facts.flatMap((each) => (each.kind === "event_changed" && each.eventId === id ? [each.change] : []));
}

/** The changes of a draft, applied one after the other. */
function checkChanges(name: string, actual: EventState, changes: readonly string[]): string[] {
  let state: EventState = "draft";
  let resolved = false;
  for (const change of changes) {
    if (change === "update" || change === "pay") continue;
    if (!isTransition(change)) return [`${name}: ${change} is not a transition`];
    const { from, to }: { from: readonly EventState[]; to: EventState } = eventTransitions[change];
    const allowed = from.includes(state) || (change === "hide" && ALSO_HIDDEN_FROM.includes(state));
    if (!allowed) return [`${name}: the outbox has ${change} from ${state}`];
    if (change === "resolve") resolved = true;
    if (change === "reset") resolved = false;
    state = change === "show" && resolved ? "resolved" : to;
  }
  return differ(`${name} by its facts (${changes.join(", ")})`, actual, state);
}

const isTransition = (name: string): name is keyof typeof eventTransitions =>
  Object.hasOwn(eventTransitions, name);

async function listFacts({ deps, lastFactId }: Show): Promise<Fact[]> {
  const rows = await deps.pool.db
    .select({ kind: outbox.kind, payload: outbox.payload })
    .from(outbox)
    .where(gt(outbox.id, lastFactId))
    .orderBy(asc(outbox.id));
  return rows.map(({ kind, payload }) => v.parse(fact, { kind, ...v.parse(v.looseObject({}), payload) }));
}

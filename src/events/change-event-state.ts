import { eq } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import type { Based } from "#src/http/if-match.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import { closeEvent } from "./close-event.ts";
import type { EventState } from "./contract.ts";
import { eventTransitions } from "./contract.ts";
import { hideEvent } from "./hide-event.ts";
import { openEvent } from "./open-event.ts";
import { publishEvent } from "./publish-event.ts";
import { resetEvent } from "./reset-event.ts";
import { resolveEvent } from "./resolve-event.ts";
import type { ChangeStateBody } from "./schemas.ts";
import { showHiddenEvent } from "./show-hidden-event.ts";
import type { EventOrder, EventRow } from "./with-event.ts";
import { withdrawResult } from "./withdraw-result.ts";

/** Somebody's wish to move an event. */
type StateChange = Based & { eventId: number; actor: { id: number }; body: ChangeStateBody };

/** An event and who moves it, and what the body says besides. */
type Verb = (deps: Deps, order: EventOrder, body: ChangeStateBody) => Promise<EventRow>;

/** The transitions that can be asked for by name. */
const verbs = {
  publish_event: publishEvent,
  open_event: openEvent,
  close_event: closeEvent,
  reset: (deps, order, { reason = null }) => resetEvent(deps, { ...order, reason }),
  hide: (deps, order, { reason = null }) => hideEvent(deps, { ...order, reason }),
  show: showHiddenEvent,
  withdraw: (deps, order, { reason = null }) => withdrawResult(deps, { ...order, reason }),
  resolve: (deps, order, { effectiveAt = null, reason = null, ...body }) =>
    resolveEvent(deps, {
      ...order,
      result: resultOf(body),
      effectiveAt,
      reason,
    }),
} satisfies Record<string, Verb>;
type Name = keyof typeof verbs;

/**
 * Performs the transition that a request names (`stateEvent`), or the one that leads to the state it names.
 * @throws Refusal 404; 422 "is invalid" for a name that is none, and whatever the verb refuses.
 */
export async function changeEventState(deps: Deps, asked: StateChange): Promise<EventRow> {
  const { body, ...order } = asked;
  return verbs[await nameOf(deps, asked)](deps, order, body);
}

async function nameOf(deps: Deps, { eventId, body }: StateChange): Promise<Name> {
  const { stateEvent, state } = body;
  if (stateEvent !== undefined) {
    if (!isName(stateEvent)) throw invalid({ stateEvent: ["is invalid"] });
    return stateEvent;
  }
  if (state === undefined) throw invalid({ stateEvent: ["is required"] });
  const [row] = await deps.pool.db.select({ state: events.state }).from(events).where(eq(events.id, eventId));
  if (row === undefined) throw notFound();
  return nameLeadingTo(state, row.state);
}

/** The one transition that leads there, or the one that does so from here. */
function nameLeadingTo(to: EventState, from: EventState): Name {
  const leading = Object.keys(verbs)
    .filter(isName)
    .filter((name) => eventTransitions[name].to === to && leadsOn(name));
  const fromHere = leading.filter((name) => eventTransitions[name].from.some((state) => state === from));
  const [only, another] = fromHere.length === 1 ? fromHere : leading;
  if (only === undefined || another !== undefined) throw invalid({ state: ["is invalid"] });
  return only;
}

/** False for what leaves a state as it is. */
function leadsOn(name: Name): boolean {
  const { from, to } = eventTransitions[name];
  return from.some((state) => state !== to);
}

function isName(name: string): name is Name {
  return Object.hasOwn(verbs, name);
}

function resultOf({ result }: Pick<ChangeStateBody, "result">): EventResult | null {
  if (typeof result === "boolean") return result ? "true" : "false";
  return result ?? null;
}

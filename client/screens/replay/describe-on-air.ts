import { formatMoney } from "#client/base/format/money.ts";
import { say } from "#src/http/contract.ts";
import { labelOf } from "./list-results.ts";
import * as texts from "./replay-texts.ts";
import type { ReplayedEvent, ReplayState } from "./timeline.ts";

/** Its title comes last, because it ends with a mark of its own. */
const spokenEvent = (event: {
  position: number;
  count: number;
  state: string;
  pool: string;
  title: string;
}) => say`Action ${event.position} of ${event.count}, ${event.state}, ${event.pool}: ${event.title}`;

/** The event on which the public could look: the open one, or the last one that had begun. Null before the first. */
export function eventOnAir({ events }: Pick<ReplayState, "events">): ReplayedEvent | null {
  const shown = events.filter((event) => event.shown && event.state !== "hidden");
  const open = shown.find(({ state }) => state === "open");
  if (open !== undefined) return open;
  const begun = shown.filter(({ openedAt }) => openedAt !== null);
  const last = begun
    .toSorted((one, other) => (one.openedAt ?? "").localeCompare(other.openedAt ?? ""))
    .at(-1);
  const next = shown.find(({ state }) => state === "visible");
  return last !== undefined && last.state === "closed" ? last : (next ?? last ?? null);
}

/** The event on the air in words, for the slider: "Action 3 of 12, Open, Yes $12.00, No $3.00: Goal?". */
export function describeOnAir(state: ReplayState): string {
  const event = eventOnAir(state);
  if (event === null) return texts.sessionIs[state.session?.state ?? "pending"];
  const shown = state.events.filter(({ shown: visible }) => visible);
  const { trueLabel, falseLabel, pool, title } = event;
  const position = shown.findIndex(({ id }) => id === event.id) + 1;
  const spokenPool = say`${trueLabel} ${formatMoney(pool.trueCents)}, ${falseLabel} ${formatMoney(pool.falseCents)}`;
  return spokenEvent({ position, count: shown.length, state: wordOf(event), pool: spokenPool, title });
}

/** The state of an event in a word, or its result. */
export function wordOf(event: ReplayedEvent): string {
  const { state, result, pendingResult } = event;
  if (pendingResult !== null) return say`${labelOf(event, pendingResult)}, not paid yet`;
  return result === null ? texts.stateLabel(state) : labelOf(event, result);
}

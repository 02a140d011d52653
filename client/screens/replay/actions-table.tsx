import { formatCount } from "#client/base/format/count.ts";
import { formatShortMoney, formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { formatDrift } from "#client/running-order/schedule.ts";
import { statePill } from "#client/running-order/state-pill.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { EventResult, EventState } from "#db/lists/events.ts";
import { labelsOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import type { ReplayEvent } from "#src/replays/schemas.ts";
import { isCorrection, type ReplayedEvent, type ReplayState, type Timeline } from "./timeline.ts";

const actionsCaption = "All actions at this time, in their order";

/** All actions at a moment. @param full for admins: with drafts, and how late each one opened. */
export function ActionsTable({ events, full }: { events: readonly ReplayedEvent[]; full: boolean }) {
  const shown = events.filter((event) => event.shown);
  return (
    <Panel title={words.actions}>
      {shown.length === 0 ? (
        <p className="body ink2">No action was announced yet.</p>
      ) : (
        <div className="scroll-x" role="region" aria-label={actionsCaption} tabIndex={0}>
          <Table
            caption={actionsCaption}
            columns={full ? [...columns, drift] : columns}
            rows={shown.map((event, index) => ({ event, place: index + 1 }))}
            keyOf={({ event }) => event.id}
          />
        </div>
      )}
    </Panel>
  );
}

type Row = { event: ReplayedEvent; place: number };

const columns: readonly Column<Row>[] = [
  {
    head: words.action,
    cell: ({ event, place }) => (
      <>
        <span className="muted num">{place}</span> {event.title}
      </>
    ),
    namesRow: true,
    cellClass: "wrap-anywhere",
  },
  { head: "State", cell: ({ event }) => <EventPill event={event} /> },
  { head: "Pool", cell: ({ event }) => <Pools event={event} />, cellClass: "num pools" },
  {
    head: words.calls,
    cell: ({ event: { pool } }) => formatCount(pool.trueCalls + pool.falseCalls),
    end: true,
    cellClass: "num",
    className: "only-desktop",
  },
];
const drift: Column<Row> = {
  head: "Drift",
  cell: ({ event }) => driftOf(event),
  end: true,
  cellClass: "num",
  className: "only-desktop",
};

function Pools({ event: { trueLabel, falseLabel, pool } }: { event: ReplayedEvent }) {
  return (
    <>
      <span>
        <SideShape side="true" /> <span className="vh">{trueLabel}</span> {formatShortMoney(pool.trueCents)}
      </span>{" "}
      <span>
        <SideShape side="false" /> <span className="vh">{falseLabel}</span>{" "}
        {formatShortMoney(pool.falseCents)}
      </span>
    </>
  );
}

/** How much later than planned at the start it opened: "+0:04"; empty if it was not planned or has not opened. */
function driftOf({ plannedAt, openedAt }: ReplayedEvent): string {
  if (plannedAt === null || openedAt === null) return "";
  return formatDrift(Date.parse(openedAt) - Date.parse(plannedAt));
}

export function EventPill({ event }: { event: ReplayedEvent }) {
  const { state, result } = event;
  const word = wordOf(event);
  if (result === null || state === "hidden") return <Pill {...statePill(state)} text={word} />;
  return result === "void" ? (
    <Pill icon="none" text={word} />
  ) : (
    <Pill icon={result} tone={result} text={word} />
  );
}

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
  if (event === null) return sessionIs[state.session?.state ?? "pending"];
  const shown = state.events.filter(({ shown: visible }) => visible);
  const { trueLabel, falseLabel, pool, title } = event;
  const position = shown.findIndex(({ id }) => id === event.id) + 1;
  const spokenPool = say`${trueLabel} ${formatMoney(pool.trueCents)}, ${falseLabel} ${formatMoney(pool.falseCents)}`;
  // Its title comes last, because it ends with a mark of its own.
  return say`Action ${position} of ${shown.length}, ${wordOf(event)}, ${spokenPool}: ${title}`;
}

function wordOf(event: ReplayedEvent): string {
  const { state, result, pendingResult } = event;
  if (pendingResult !== null) return say`${labelOf(event, pendingResult)}, not paid yet`;
  return result === null ? stateLabel(state) : labelOf(event, result);
}

/** A result that was announced, or corrected, and when. */
type ReplayResult = {
  atMs: number;
  eventId: number;
  title: string;
  result: EventResult;
  label: string;
};

/** All results of a replay in order, corrections included. */
export function listResults({ steps, timesMs }: Timeline): ReplayResult[] {
  const known = new Map<number, ReplayEvent>();
  return steps.flatMap(({ events }, index) =>
    events.flatMap((event) => {
      const before = known.get(event.id);
      known.set(event.id, event);
      const { id: eventId, title, result } = event;
      if (result === null || (before !== undefined && !isNews(before, event))) return [];
      return [{ atMs: timesMs[index] ?? 0, eventId, title, result, label: labelOf(event, result) }];
    }),
  );
}

function isNews(before: ReplayEvent, event: ReplayEvent): boolean {
  return before.result === null || before.round !== event.round || isCorrection(before, event);
}

function labelOf(
  { trueLabel, falseLabel }: Pick<ReplayEvent, "trueLabel" | "falseLabel">,
  result: EventResult,
): string {
  return { true: trueLabel, false: falseLabel, void: words.voidResult }[result];
}

export const sessionIs = {
  pending: "Not started",
  running: "Running",
  paused: "Paused",
  stopped: "Ended",
} as const;
export const stateLabel = labelsOf<EventState>({
  draft: "Draft",
  visible: "Announced",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  soft_destroyed: "Deleted",
});

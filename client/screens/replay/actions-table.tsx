import { formatCount } from "#client/base/format/count.ts";
import { formatShortMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { formatDrift } from "#client/running-order/schedule.ts";
import { SideShape } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { EventPill } from "./event-pill.tsx";
import type { ReplayedEvent } from "./timeline.ts";

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

import type { ReplayedEvent } from "#src/replays/contract.ts";
import { formatDrift } from "../show/schedule.ts";
import { formatCount } from "../ui/count.ts";
import { SideShape } from "../ui/icon.tsx";
import { formatShortMoney } from "../ui/money.ts";
import { Panel } from "../ui/page-layout.tsx";
import { EventPill } from "./event-pill.tsx";
import * as texts from "./replay-texts.ts";

/** All actions at a moment. @param full for admins: with drafts, and how late each one opened. */
export function ActionsTable({ events, full }: { events: readonly ReplayedEvent[]; full: boolean }) {
  const shown = events.filter((event) => event.shown);
  return (
    <Panel title={texts.actions}>
      {shown.length === 0 ? (
        <p className="body ink2">{texts.noActions}</p>
      ) : (
        <div className="scroll-x" role="region" aria-label={texts.actionsCaption} tabIndex={0}>
          <table className="table">
            <caption className="vh">{texts.actionsCaption}</caption>
            <thead>
              <tr>
                <th scope="col">{texts.action}</th>
                <th scope="col">{texts.state}</th>
                <th scope="col">{texts.poolOf}</th>
                <th scope="col" className="end only-desktop">
                  {texts.calls}
                </th>
                {full ? (
                  <th scope="col" className="end only-desktop">
                    {texts.drift}
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {shown.map((event, index) => (
                <Row key={event.id} event={event} place={index + 1} full={full} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Row({ event, place, full }: { event: ReplayedEvent; place: number; full: boolean }) {
  const { title, pool } = event;
  return (
    <tr>
      <th scope="row" className="wrap-anywhere">
        <span className="muted num">{place}</span> {title}
      </th>
      <td>
        <EventPill event={event} />
      </td>
      <td className="num pools">
        <span>
          <SideShape side="true" /> <span className="vh">{event.trueLabel}</span>{" "}
          {formatShortMoney(pool.trueCents)}
        </span>{" "}
        <span>
          <SideShape side="false" /> <span className="vh">{event.falseLabel}</span>{" "}
          {formatShortMoney(pool.falseCents)}
        </span>
      </td>
      <td className="end num only-desktop">{formatCount(pool.trueCalls + pool.falseCalls)}</td>
      {full ? <td className="end num only-desktop">{driftOf(event)}</td> : null}
    </tr>
  );
}

/** How much later than planned at the start it opened: "+0:04"; empty if it was not planned or has not opened. */
function driftOf({ plannedAt, openedAt }: ReplayedEvent): string {
  if (plannedAt === null || openedAt === null) return "";
  return formatDrift(Date.parse(openedAt) - Date.parse(plannedAt));
}

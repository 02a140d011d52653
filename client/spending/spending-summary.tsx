import type { ReactNode } from "react";
import { Link } from "react-router";
import { nullAt } from "#client/base/api/api.ts";
import { daysLabel, openText } from "#src/money/spending/contract.ts";
import type { SpendingView } from "#src/money/spending/schemas.ts";
import type { Api } from "../base/api/api.ts";
import type { Deferred } from "../base/deferred/deferred.ts";
import { formatMoney } from "../base/format/money.ts";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Moment } from "../ui/time.tsx";
import { WhenLoaded } from "../ui/when-loaded.tsx";
import { SPENDING_PATH } from "./break-row.tsx";

/** The viewer's spending; null where payments are off. */
export function fetchSpending(api: Api): Promise<SpendingView | null> {
  return api.get("/api/v1/spending").then(({ spending }) => spending, nullAt(404));
}

/** What was paid in in this month, what the limits leave, and the way to both; nothing where payments are off. */
export function SpendingSummary({ spending }: { spending: Deferred<SpendingView | null> }) {
  return (
    <WhenLoaded data={spending} loading={null} quiet>
      {(found) => (found === null ? null : <Summary spending={found} />)}
    </WhenLoaded>
  );
}

function Summary({ spending: { monthCents, room } }: { spending: SpendingView }) {
  return (
    <Panel title="Your spending" aside={<Link to={SPENDING_PATH}>Limits and breaks</Link>} body="stack">
      <p className="small">
        {fill("Paid in this month: {amount}", { amount: <b className="num">{formatMoney(monthCents)}</b> })}
      </p>
      <RoomList room={room} />
      <Link className="btn ghost sm" to={`${SPENDING_PATH}/statement`}>
        Statements
      </Link>
    </Panel>
  );
}

/** What may still be paid in, by each limit. */
export function RoomList({ room }: { room: SpendingView["room"] }) {
  if (room.length === 0) return null;
  return (
    <ul className="small ink2 stack">
      {room.map(({ own, days, limitCents, openCents, leftCents, freeAt }) => (
        <li key={`${own}-${days}`}>
          {`${own ? "Your" : "The site's"} limit of ${formatMoney(limitCents)} within ${daysLabel(days)} leaves ${formatMoney(leftCents)}.${openText(openCents)}`}
          {leftCents > 0 || freeAt === null
            ? null
            : fill(" More is possible from {at}.", { at: <Moment at={freeAt} /> })}
        </li>
      ))}
    </ul>
  );
}

/** The form of a deposit, or why nothing can be paid in now. */
export function Deposits({ spending, children }: { spending: SpendingView | null; children: ReactNode }) {
  if (spending === null || (spending.break === null && spending.paymentsHere)) return children;
  if (spending.break !== null) return <OnBreak until={spending.break.endsAt} />;
  return <Note>Nothing can be paid in from where you are. You can go on playing.</Note>;
}

export function OnBreak({ until }: { until: string }) {
  return (
    <Note>
      {fill(
        "You are on a break until {at}. Until then you make no calls and no deposits. Open calls stay, and are paid.",
        {
          at: <Moment at={until} />,
        },
      )}
    </Note>
  );
}

import { Link, useLocation, useParams } from "react-router";
import type { CallView } from "#src/calls/schemas.ts";
import { SideShape } from "../ui/icon.tsx";
import { formatChange, formatMoney } from "../ui/money.ts";
import { Moment } from "../ui/time.tsx";
import { CallPill } from "./call-pill.tsx";

/** One call in a list: what was called, for how much, and what became of it. All of it leads to its receipt. */
export function CallRow({ call, opened }: { call: CallView; opened: boolean }) {
  return (
    <li className={opened ? "sel linked" : "linked"}>
      <SideShape side={call.side} />
      <span className="grow">
        <ToReceipt call={call} opened={opened} />
        <span className="tiny muted clip">
          {call.label} {call.netCents === null ? null : `${formatMoney(call.wagerCents)}, `}
          <Moment at={call.placedAt} />
        </span>
      </span>
      <span className="call-end">
        <b className="num">
          {call.netCents === null ? formatMoney(call.wagerCents) : formatChange(call.netCents)}
        </b>
        <CallPill call={call} />
      </span>
    </li>
  );
}

function ToReceipt({ call, opened }: { call: CallView; opened: boolean }) {
  const { search } = useLocation();
  const { slug } = useParams();
  return (
    <Link
      className="call-title"
      to={{ pathname: `/sessions/${slug}/history/${call.id}`, search }}
      aria-current={opened ? "true" : undefined}
    >
      {call.eventTitle}
    </Link>
  );
}

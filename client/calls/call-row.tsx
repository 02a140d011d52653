import type { CallView } from "#src/calls/contract.ts";
import { SideShape } from "../ui/icon.tsx";
import { formatChange, formatMoney } from "../ui/money.ts";
import { Moment } from "../ui/time.tsx";
import { CallPill } from "./call-pill.tsx";

/** One call in a list: what was called, for how much, and what became of it. */
export function CallRow({ call }: { call: CallView }) {
  return (
    <li>
      <SideShape side={call.side} />
      <span className="grow">
        <span className="call-title">{call.eventTitle}</span>
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

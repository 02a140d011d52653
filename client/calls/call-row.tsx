import { Link, useLocation, useParams } from "react-router";
import { say } from "#src/http/contract.ts";
import type { CallView, ListedCall } from "#src/play/calls/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { SideShape } from "../ui/icon.tsx";
import { Moment } from "../ui/time.tsx";
import { callAmount } from "./call-amount.ts";
import { CallState } from "./call-pill.tsx";
import { RefundCause } from "./refund-cause.tsx";
import { streakWords } from "./streak.ts";

/** One call in a list: side, wager and outcome. The whole row links to its receipt. */
export function CallRow({ call, opened }: { call: ListedCall | CallView; opened: boolean }) {
  const streak = "streak" in call ? streakWords(call.streak) : "";
  return (
    <li className={opened ? "sel linked" : "linked"}>
      <SideShape side={call.side} />
      <span className="grow">
        <ReceiptLink call={call} opened={opened} />
        <span className="tiny muted clip">
          <span>
            {call.netCents === null ? call.label : say`${call.label} ${formatMoney(call.wagerCents)},`}
          </span>{" "}
          <Moment at={call.placedAt} />
        </span>
        <RefundCause call={call} />
      </span>
      <span className="call-end">
        <b className="num">{callAmount(call)}</b>
        <CallState call={call} />
        {streak === "" ? null : <span className="tiny num">{streak}</span>}
      </span>
    </li>
  );
}

function ReceiptLink({ call, opened }: { call: CallView; opened: boolean }) {
  const { search } = useLocation();
  const { slug } = useParams();
  return (
    <Link
      className="call-title"
      to={`/sessions/${slug}/history/${call.id}${search}`}
      aria-current={opened ? "true" : undefined}
    >
      {call.eventTitle}
    </Link>
  );
}

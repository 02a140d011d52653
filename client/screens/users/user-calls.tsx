import { Link } from "react-router";
import { formatMoney } from "#client/base/format/money.ts";
import { CallState } from "#client/calls/call-pill.tsx";
import { RefundCause } from "#client/calls/refund-cause.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { SideShape } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { UserRefusal } from "./act-on-user.ts";
import * as texts from "./users-texts.ts";

const CALLS_SHOWN = 10;

type UserCallsProps = { calls: readonly CallView[]; mine: boolean; refusal: UserRefusal | undefined };

/**
 * For admins: a user's newest calls. Those that are not resolved can be taken back.
 * @param mine the admin's own calls, which follow the rules for players and are taken back on the Action screen.
 */
export function UserCalls({ calls, mine, refusal }: UserCallsProps) {
  return (
    <Panel title={texts.calls}>
      {refusal === undefined ? null : (
        <div className="body">
          <Note tone="bad">{refusal.refusal}</Note>
        </div>
      )}
      {calls.length === 0 ? (
        <p className="body ink2 small">{texts.noCallsYet}</p>
      ) : (
        <ul className="list">
          {calls.slice(0, CALLS_SHOWN).map((call) => (
            <UserCall key={call.id} call={call} mine={mine} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function UserCall({ call, mine }: { call: CallView; mine: boolean }) {
  return (
    <li>
      <SideShape side={call.side} />
      <span className="grow">
        <CallTitle call={call} />
        <span className="tiny muted clip">
          {call.label} {formatMoney(call.wagerCents)}, <Moment at={call.placedAt} />
        </span>
        <RefundCause call={call} />
      </span>
      <span className="call-end">
        <CallState call={call} />
        {call.active && !mine ? <TakeBack call={call} /> : null}
      </span>
    </li>
  );
}

/** The receipt is a page of the session. */
function CallTitle({ call: { id, sessionSlug, eventTitle } }: { call: CallView }) {
  if (sessionSlug === null) return <span className="call-title">{eventTitle}</span>;
  return <Link to={`/sessions/${sessionSlug}/history/${id}`}>{eventTitle}</Link>;
}

function TakeBack({ call }: { call: CallView }) {
  return (
    <Confirm
      label={
        <>
          {texts.takeBack}
          <span className="vh"> {texts.takeBackSuffix(call.eventTitle)}</span>
        </>
      }
      className="btn sm"
      title={texts.takeBackConfirm(call.wagerCents)}
      act={{ label: texts.takeItBack, intent: "destroy_call", className: "btn bad" }}
      cancelLabel={texts.keepIt}
    >
      <p className="strong">
        {call.eventTitle} {call.label}
      </p>
      <p>{texts.takeBackHint}</p>
      <input type="hidden" name="call_id" value={call.id} />
      <Field
        label={texts.reason}
        name="reason"
        id={`reason-${call.id}`}
        optional
        maxLength={REASON_LENGTH_MAX}
        hint={texts.reasonHint}
      />
    </Confirm>
  );
}

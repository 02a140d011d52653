import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { FlagCode } from "#db/lists/payments.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { BooksView, WaitingRefundView } from "#src/books/schemas.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { PaymentFlagView } from "#src/money/payments/schemas.ts";
import type { BooksRefusal } from "./act-on-books.ts";
import * as texts from "./books-texts.ts";

const titleOf = labelsOf<FlagCode>({
  unknown_payment: texts.unknownPayment,
  not_paid_yet: texts.refundBeforeDeposit,
  wrong_amount: texts.wrongAmount,
});

type WaitingProps = { books: BooksView; refusal: BooksRefusal | undefined };

/** Payments that need attention: refunds without an answer, and refused messages of providers. */
export function WaitingPanel({ books: { paymentFlags, waitingRefunds }, refusal }: WaitingProps) {
  const count = paymentFlags.length + waitingRefunds.length;
  return (
    <Panel title={texts.paymentsToLookAt} aside={count === 0 ? undefined : texts.paymentsCount(count)}>
      {refusal === undefined ? null : (
        <div className="body">
          <Note tone="bad">{refusal.refusal}</Note>
        </div>
      )}
      {count === 0 ? <p className="body ink2 small">{texts.noRefusedMessages}</p> : null}
      <ul className="list">
        {waitingRefunds.map((refund) => (
          <WaitingRefund key={refund.chargebackId} refund={refund} />
        ))}
        {paymentFlags.map((flag) => (
          <Flag
            key={flag.id}
            flag={flag}
            refusal={refusal?.flagId === String(flag.id) ? refusal : undefined}
          />
        ))}
      </ul>
    </Panel>
  );
}

function WaitingRefund({ refund }: { refund: WaitingRefundView }) {
  return (
    <li>
      <div className="grow">
        <b className="small">{texts.refundOf(refund.amountCents)}</b>
        <span className="tiny ink2 wrap-anywhere">
          {fill(texts.refundAsked, {
            at: <Moment at={refund.createdAt} />,
            reference: refund.reference,
          })}
        </span>
      </div>
      <PlayerLink userId={refund.userId} />
    </li>
  );
}

function Flag({ flag, refusal }: { flag: PaymentFlagView; refusal: BooksRefusal | undefined }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  return (
    <li>
      <div className="grow">
        <b className="small">{titleOf(flag.code)}</b>
        <span className="tiny ink2 wrap-anywhere">
          {fill(texts.messageDetail(flag.timesSeen), {
            provider: flag.provider,
            reference: flag.reference,
            detail: flag.detail,
            at: <Moment at={flag.seenAt} />,
          })}
        </span>
      </div>
      <PlayerLink userId={flag.userId} />
      {isAdmin ? <CloseFlag flag={flag} refusal={refusal} /> : null}
    </li>
  );
}

function PlayerLink({ userId }: { userId: number | null }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (!isAdmin || userId === null) return null;
  return (
    <Link className="btn sm" to={`/users/${userId}`}>
      {texts.player}
    </Link>
  );
}

function CloseFlag({ flag, refusal }: { flag: PaymentFlagView; refusal: BooksRefusal | undefined }) {
  return (
    <Confirm
      label={
        <>
          {texts.putAway}
          <span className="vh">: {flag.reference}</span>
        </>
      }
      className="btn sm"
      title={texts.putAwayConfirm}
      act={{ label: texts.putAway, intent: "close_flag" }}
    >
      <p>{texts.putAwayHint}</p>
      <input type="hidden" name="flag_id" value={flag.id} />
      <Field
        label={texts.whatWasDone}
        name="note"
        id={`note-${flag.id}`}
        maxLength={REASON_LENGTH_MAX}
        value={refusal?.note ?? ""}
        errors={refusal?.errors["note"]}
      />
    </Confirm>
  );
}

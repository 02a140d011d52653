import { Link } from "react-router";
import type { FlagCode } from "#db/lists/payments.ts";
import type { BooksView, WaitingRefundView } from "#src/books/schemas.ts";
import { REASON_LENGTH_MAX } from "#src/payments/contract.ts";
import type { PaymentFlagView } from "#src/payments/schemas.ts";
import { useViewer } from "../context.ts";
import { Confirm } from "../ui/confirm.tsx";
import { countOf } from "../ui/count.ts";
import { Field } from "../ui/field.tsx";
import { formatMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Moment } from "../ui/time.tsx";
import type { BooksRefusal } from "./act-on-books.ts";

const titles: Record<FlagCode, string> = {
  unknown_payment: "No payment of ours",
  not_paid_yet: "Refund before its deposit",
  wrong_amount: "The amount does not match",
};

type WaitingProps = { books: BooksView; refusal: BooksRefusal | undefined };

/** Payments that need attention: refunds without an answer, and refused messages of providers. */
export function WaitingPanel({ books: { paymentFlags, waitingRefunds }, refusal }: WaitingProps) {
  const count = paymentFlags.length + waitingRefunds.length;
  return (
    <Panel title="Payments to look at" aside={count === 0 ? undefined : countOf(count, "payment")}>
      {refusal === undefined ? null : (
        <div className="body">
          <Note tone="bad">{refusal.refusal}</Note>
        </div>
      )}
      {count === 0 ? (
        <p className="body ink2 small">None. What providers say and we refuse stands here.</p>
      ) : null}
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
        <b className="small">Refund of {formatMoney(refund.amountCents)}</b>
        <span className="tiny ink2 wrap-anywhere">
          Asked for <Moment at={refund.createdAt} />. The provider has not answered; it is asked again each
          minute. {refund.reference}
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
        <b className="small">{titles[flag.code]}</b>
        <span className="tiny ink2 wrap-anywhere">
          {flag.provider}, {flag.reference}: {flag.detail}. Came {countOf(flag.timesSeen, "time")}, last{" "}
          <Moment at={flag.seenAt} />.
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
      Player
    </Link>
  );
}

function CloseFlag({ flag, refusal }: { flag: PaymentFlagView; refusal: BooksRefusal | undefined }) {
  return (
    <Confirm
      label={
        <>
          Put away<span className="vh">: {flag.reference}</span>
        </>
      }
      className="btn sm"
      title="Put this message away?"
      act={{ label: "Put away", intent: "close_flag" }}
    >
      <p>It moves no money. What was done about it stays on record.</p>
      <input type="hidden" name="flag_id" value={flag.id} />
      <Field
        label="What was done"
        name="note"
        id={`note-${flag.id}`}
        maxLength={REASON_LENGTH_MAX}
        value={refusal?.note ?? ""}
        errors={refusal?.errors["note"]}
      />
    </Confirm>
  );
}

import { Form, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { apiContext, useViewer } from "#client/base/page/context.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import { Moment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { FlagCode } from "#db/lists/payments.ts";
import { entriesOf, labelsOf } from "#src/base/contract.ts";
import type {
  AccountTotalView,
  BookCheckView,
  BooksAnswer,
  BooksView,
  FindingRow,
  FindingView,
  WaitingRefundView,
} from "#src/books/schemas.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { PaymentFlagView } from "#src/money/payments/schemas.ts";
import type { SettlingView } from "#src/play/settlements/schemas.ts";
import type { BooksRefusal } from "./act-on-books.ts";
import * as texts from "./books-texts.ts";

const nameOf = labelsOf<AccountTotalView["kind"]>({
  wallet: texts.playersWallets,
  receivable: texts.owedByPlayers,
  house: texts.house,
  promo: texts.playMoney,
  external: texts.payments,
  clearing: texts.onItsWay,
});
const hintOf = entriesOf<Exclude<AccountTotalView["kind"], "wallet">, string>(
  {
    receivable: texts.owedHint,
    house: texts.houseHint,
    promo: texts.playMoneyHint,
    external: texts.paymentsHint,
    clearing: texts.onItsWayHint,
  },
  "",
);

const columns: readonly Column<AccountTotalView>[] = [
  { head: texts.whose, cell: (account) => <Whose account={account} /> },
  {
    head: texts.balance,
    cell: ({ postedCents }) => formatMoney(postedCents),
    end: true,
    cellClass: "num",
  },
];

const flagTitleOf = labelsOf<FlagCode>({
  unknown_payment: texts.unknownPayment,
  not_paid_yet: texts.refundBeforeDeposit,
  wrong_amount: texts.wrongAmount,
});

/** For admins and operators: whether the books balance, what they hold, and the payments that need attention. */
export function BooksScreen() {
  const { answer } = useLoaderData<BooksData>();
  const refusal = useActionData<BooksRefusal>();
  return (
    <PageLayout title={frame.books} actions={<CheckNow />}>
      {refusal?.intent === "check" ? <Note tone="bad">{refusal.refusal}</Note> : null}
      <WhenLoaded data={answer}>{({ books }) => <Books books={books} refusal={refusal} />}</WhenLoaded>
    </PageLayout>
  );
}

function Books({ books, refusal }: BooksAnswer & { refusal: BooksRefusal | undefined }) {
  const { lastCheck } = books;
  return (
    <>
      {books.overdue ? <Note tone="warn">{texts.checkOverdue}</Note> : null}
      {books.settling.map((settling) => (
        <PayingNote key={settling.eventId} settling={settling} />
      ))}
      {lastCheck === null ? null : <CheckResult check={lastCheck} />}
      <div className="split">
        <div className="stack wide">
          {lastCheck === null ? <NotCheckedYet /> : <DifferencesPanel findings={lastCheck.findings} />}
          <WaitingPanel books={books} refusal={refusal?.intent === "close_flag" ? refusal : undefined} />
          <AccountsPanel accounts={books.accounts} />
        </div>
        {lastCheck === null ? null : <ChecksPanel findings={lastCheck.findings} />}
      </div>
    </>
  );
}

function CheckNow() {
  return (
    <Form method="post">
      <CsrfField />
      <Submit intent="check">{texts.checkNow}</Submit>
    </Form>
  );
}

/** The result of the last check, in one sentence. */
function CheckResult({ check }: { check: BookCheckView }) {
  const { differencesCount, findings, checkedAt, checkedBy, durationMs } = check;
  return (
    <Note tone={differencesCount === 0 ? "ok" : "bad"}>
      <b>
        {differencesCount === 0
          ? texts.inBalance(findings.length)
          : texts.differencesFound(differencesCount, findings.length)}
      </b>{" "}
      {fill(checkedBy === null ? texts.checkedBySchedule(durationMs) : texts.checkedBy(durationMs), {
        at: <Moment at={checkedAt} />,
        name: checkedBy,
      })}
    </Note>
  );
}

function NotCheckedYet() {
  return (
    <section className="panel">
      <EmptyState icon="slip" title={texts.notCheckedYet}>
        <p>{texts.notCheckedHint}</p>
      </EmptyState>
    </section>
  );
}

/** A large settlement that is being paid. The money on its way to the winners is listed under Accounts. */
function PayingNote({ settling }: { settling: SettlingView }) {
  const { eventTitle, paidCallsCount, callsCount, startedAt } = settling;
  return (
    <Note>
      <b>{texts.payingCalls(paidCallsCount, callsCount)}</b>{" "}
      {fill(texts.decidedAt, { title: eventTitle, at: <Moment at={startedAt} /> })}
    </Note>
  );
}

/** The balances by kind of account. The entries of each transaction sum to zero, and so do the balances. */
function AccountsPanel({ accounts }: { accounts: readonly AccountTotalView[] }) {
  const sumCents = accounts.reduce((sum, { postedCents }) => sum + postedCents, 0);
  return (
    <Panel title={texts.accounts}>
      <Table columns={columns} rows={accounts} keyOf={({ kind }) => kind}>
        <tr>
          <th scope="row">{texts.together}</th>
          <td className="end num strong">{formatMoney(sumCents)}</td>
        </tr>
      </Table>
    </Panel>
  );
}

function Whose({ account: { kind, accountsCount, heldCents } }: { account: AccountTotalView }) {
  const hint = kind === "wallet" ? texts.walletsHint(accountsCount) : hintOf(kind);
  return (
    <>
      <b>{nameOf(kind)}</b>
      <br />
      <span className="tiny muted">{heldCents === 0 ? hint : texts.hintWithHeld(hint, heldCents)}</span>
    </>
  );
}

/** The differences that the checks have found. Hidden where there are none. */
function DifferencesPanel({ findings }: { findings: readonly FindingView[] }) {
  const differing = findings.filter(({ bad }) => bad !== 0);
  if (differing.length === 0) return null;
  return (
    <Panel title={texts.differences}>
      <ul className="list">
        {differing.map((finding) => (
          <li key={finding.name}>
            <div className="grow">
              <b className="small">{titleOf(finding.name)}</b>
              <Rows finding={finding} />
            </div>
            <Pill icon="warning" tone="bad">
              {formatCount(finding.bad)}
            </Pill>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The first rows that differ. The number beside them counts all. */
function Rows({ finding: { name, rows } }: { finding: FindingView }) {
  if (rows.length === 0) {
    return <p className="tiny ink2">{texts.repairs[name] ?? texts.noRowsHint}</p>;
  }
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.label} className="tiny ink2">
          <Subject row={row} />: {row.detail}
        </li>
      ))}
    </ul>
  );
}

function Subject({ row }: { row: FindingRow }) {
  const path = usePathTo(row);
  return path === null ? row.label : <Link to={path}>{row.label}</Link>;
}

/** The page that shows a row: its call's receipt, its event's settlement or its player. Operators may open events only. */
function usePathTo({ sessionSlug, eventId, callId, userId }: FindingRow): string | null {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (isAdmin && sessionSlug !== null && callId !== null) return `/sessions/${sessionSlug}/history/${callId}`;
  if (sessionSlug !== null && eventId !== null) return `/sessions/${sessionSlug}/events/${eventId}`;
  return isAdmin && userId !== null ? `/users/${userId}` : null;
}

/** All checks of the books with their results. */
function ChecksPanel({ findings }: { findings: readonly FindingView[] }) {
  return (
    <Panel title={texts.checks} aside={texts.checksCount(findings.length)}>
      <ul className="list">
        {findings.map(({ name, bad }) => (
          <li key={name} className="dense">
            <span className="grow small">{titleOf(name)}</span>
            {bad === 0 ? (
              <Pill icon="tick" tone="ok">
                {texts.none}
              </Pill>
            ) : (
              <Pill icon="warning" tone="bad">
                {formatCount(bad)}
              </Pill>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A check's name as a title: "entries" -> "Entries". */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type BooksData = { answer: Deferred<BooksAnswer> };

/** Whether the books balance, and the payments that need attention. */
export async function loadBooks(args: LoaderFunctionArgs): Promise<BooksData> {
  const { context, request } = args;
  const api = context.get(apiContext);
  return { answer: await defer(args, () => api.get("/api/v1/books", { signal: request.signal })) };
}

type WaitingProps = { books: BooksView; refusal: BooksRefusal | undefined };

/** Payments that need attention: refunds without an answer, and refused messages of providers. */
function WaitingPanel({ books: { paymentFlags, waitingRefunds }, refusal }: WaitingProps) {
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
        <b className="small">{flagTitleOf(flag.code)}</b>
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

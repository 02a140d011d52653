import { Link, useActionData, useLoaderData } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useViewer } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { EmptyPanel } from "#client/ui/empty-state.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { Named, PostButton, Refusal } from "#client/ui/forms/post-form.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
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

const repairScores = "The command “reconcile --repair-scores” counts them again from the calls.";
/** What repairs the differences that a check found, by its name. */
const repairs: Record<string, string> = {
  "results that the calls do not say": repairScores,
  "scores that the calls do not say": repairScores,
};

const putAway = "Put away";

const nameOf = labelsOf<AccountTotalView["kind"]>({
  wallet: "Players' wallets",
  receivable: "Owed by players",
  house: "House",
  promo: words.playMoney,
  external: words.payments,
  clearing: "On its way",
});
const hintOf = entriesOf<Exclude<AccountTotalView["kind"], "wallet">, string>(
  {
    receivable: "taken back after it was spent",
    house: "corrections by hand",
    promo: "given to players",
    external: "paid in by players",
    clearing: "between the parts of settlements that are being paid",
  },
  "",
);

const columns: readonly Column<AccountTotalView>[] = [
  { head: "Whose", cell: (account) => <Whose account={account} /> },
  {
    head: words.balance,
    cell: ({ postedCents }) => formatMoney(postedCents),
    end: true,
    cellClass: "num",
  },
];

const flagTitleOf = labelsOf<FlagCode>({
  unknown_payment: "No payment of ours",
  not_paid_yet: "Refund before its deposit",
  wrong_amount: "The amount does not match",
});

/** For admins and operators: whether the books balance, what they hold, and the payments that need attention. */
export function BooksScreen() {
  const { answer } = useLoaderData<BooksData>();
  const refusal = useActionData<BooksRefusal>();
  return (
    <PageLayout title={words.books} actions={<CheckNow />}>
      {refusal?.intent === "check" ? <Note tone="bad">{refusal.refusal}</Note> : null}
      <WhenLoaded data={answer}>{({ books }) => <Books books={books} refusal={refusal} />}</WhenLoaded>
    </PageLayout>
  );
}

function Books({ books, refusal }: BooksAnswer & { refusal: BooksRefusal | undefined }) {
  const { lastCheck } = books;
  return (
    <>
      {books.overdue ? (
        <Note tone="warn">
          The schedule has not checked the books for long. Look whether the worker runs.
        </Note>
      ) : null}
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
    <PostButton className="btn primary" intent="check">
      Check now
    </PostButton>
  );
}

function CheckResult({ check }: { check: BookCheckView }) {
  const { differencesCount, findings, checkedAt, checkedBy, durationMs } = check;
  return (
    <Note tone={differencesCount === 0 ? "ok" : "bad"}>
      <b>
        {differencesCount === 0
          ? `In balance: ${countOf(findings.length, "check")}, no difference.`
          : `${differencesCount} of ${countOf(findings.length, "check")} found a difference.`}
      </b>{" "}
      {fill(
        checkedBy === null
          ? `Checked {at} by the schedule, in ${durationMs} ms.`
          : `Checked {at} by {name}, in ${durationMs} ms.`,
        {
          at: <Moment at={checkedAt} />,
          name: checkedBy,
        },
      )}
    </Note>
  );
}

function NotCheckedYet() {
  return (
    <EmptyPanel icon="slip" title="Not checked yet">
      <p>The schedule checks the books once a minute. “Check now” does it at once.</p>
    </EmptyPanel>
  );
}

/** A large settlement that is being paid. The money on its way to the winners is listed under Accounts. */
function PayingNote({ settling }: { settling: SettlingView }) {
  const { eventTitle, paidCallsCount, callsCount, startedAt } = settling;
  return (
    <Note>
      <b>{`Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)} calls.`}</b>{" "}
      {fill("{title} was decided {at}.", { title: eventTitle, at: <Moment at={startedAt} /> })}
    </Note>
  );
}

/** The balances by kind of account. The entries of each transaction sum to zero, and so do the balances. */
function AccountsPanel({ accounts }: { accounts: readonly AccountTotalView[] }) {
  const sumCents = accounts.reduce((sum, { postedCents }) => sum + postedCents, 0);
  return (
    <Panel title="Accounts">
      <Table columns={columns} rows={accounts} keyOf={({ kind }) => kind}>
        <tr>
          <th scope="row">Together</th>
          <td className="end num strong">{formatMoney(sumCents)}</td>
        </tr>
      </Table>
    </Panel>
  );
}

function Whose({ account: { kind, accountsCount, heldCents } }: { account: AccountTotalView }) {
  const hint = kind === "wallet" ? `what they hold, in ${formatCount(accountsCount)} wallets` : hintOf(kind);
  return (
    <>
      <b>{nameOf(kind)}</b>
      <br />
      <span className="tiny muted">
        {heldCents === 0 ? hint : `${hint}, ${formatMoney(heldCents)} of it in calls`}
      </span>
    </>
  );
}

/** The differences that the checks have found. Hidden where there are none. */
function DifferencesPanel({ findings }: { findings: readonly FindingView[] }) {
  const differing = findings.filter(({ bad }) => bad !== 0);
  if (differing.length === 0) return null;
  return (
    <Panel title="Differences">
      <ul className="list">
        {differing.map((finding) => (
          <li key={finding.name}>
            <div className="grow">
              <b className="small">{titleOf(finding.name)}</b>
              <Rows finding={finding} />
            </div>
            <Pill icon="warning" tone="bad" text={formatCount(finding.bad)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The first rows that differ. The number beside them counts all. */
function Rows({ finding: { name, rows } }: { finding: FindingView }) {
  if (rows.length === 0) {
    return <p className="tiny ink2">{repairs[name] ?? "It only adds up: no row can be named."}</p>;
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

function ChecksPanel({ findings }: { findings: readonly FindingView[] }) {
  return (
    <Panel title="Checks" aside={countOf(findings.length, "check")}>
      <ul className="list">
        {findings.map(({ name, bad }) => (
          <li key={name} className="dense">
            <span className="grow small">{titleOf(name)}</span>
            {bad === 0 ? (
              <Pill icon="tick" tone="ok" text={words.none} />
            ) : (
              <Pill icon="warning" tone="bad" text={formatCount(bad)} />
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
export async function loadBooks(args: LoaderArgs): Promise<BooksData> {
  const { api } = args;
  return { answer: await defer(args, () => api.get("/api/v1/books")) };
}

type WaitingProps = { books: BooksView; refusal: BooksRefusal | undefined };

/** Payments that need attention: refunds without an answer, and refused messages of providers. */
function WaitingPanel({ books: { paymentFlags, waitingRefunds }, refusal }: WaitingProps) {
  const count = paymentFlags.length + waitingRefunds.length;
  return (
    <Panel title="Payments to look at" aside={count === 0 ? undefined : countOf(count, "payment")}>
      <Refusal refused={refusal} inBody />
      {count === 0 ? (
        <p className="body ink2 small">None. Messages of providers that were refused appear here.</p>
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
        <b className="small">{`Refund of ${formatMoney(refund.amountCents)}`}</b>
        <span className="tiny ink2 wrap-anywhere">
          {fill("Asked for {at}. The provider has not answered; it is asked again each minute. {reference}", {
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
          {fill(`{provider}, {reference}: {detail}. Came ${countOf(flag.timesSeen, "time")}, last {at}.`, {
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
      {words.player}
    </Link>
  );
}

function CloseFlag({ flag, refusal }: { flag: PaymentFlagView; refusal: BooksRefusal | undefined }) {
  const bind = boundTo(refusal);
  return (
    <Confirm
      label={<Named label={putAway} name={flag.reference} />}
      className="btn sm"
      title="Put this message away?"
      act={{ label: putAway, intent: "close_flag" }}
    >
      <p>It moves no money. What was done about it stays on record.</p>
      <input type="hidden" name="flag_id" value={flag.id} />
      <Field label="What was done" id={`note-${flag.id}`} maxLength={REASON_LENGTH_MAX} {...bind("note")} />
    </Confirm>
  );
}

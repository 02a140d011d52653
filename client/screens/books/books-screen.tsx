import { Form, useActionData, useLoaderData } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { BookCheckView, BooksAnswer } from "#src/books/schemas.ts";
import type { SettlingView } from "#src/play/settlements/schemas.ts";
import { AccountsPanel } from "./accounts-panel.tsx";
import type { BooksRefusal } from "./act-on-books.ts";
import * as texts from "./books-texts.ts";
import { ChecksPanel } from "./checks-panel.tsx";
import { DifferencesPanel } from "./differences-panel.tsx";
import type { BooksData } from "./load-books.ts";
import { WaitingPanel } from "./waiting-panel.tsx";

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

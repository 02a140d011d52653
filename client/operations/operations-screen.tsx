import { useCallback } from "react";
import { useActionData, useLoaderData, useRevalidator } from "react-router";
import type { OperationsView } from "#src/operations/schemas.ts";
import { WhenLoaded } from "../deferred/when-loaded.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { usePolling } from "../use-polling.ts";
import type { RetryRefusal } from "./act-on-operations.ts";
import { FailedJobs } from "./failed-jobs.tsx";
import type { OperationsData } from "./load-operations.ts";
import * as texts from "./operations-texts.ts";
import { BooksPanel, MailsPanel, StartsPanel, WebhooksPanel } from "./record-panels.tsx";
import { LateTimers, QueuesPanel } from "./work-panels.tsx";

const LOAD_EVERY_MS = 5_000;

/** The operators' home: what runs behind the game, what needs attention first. */
export function OperationsScreen() {
  const { answer } = useLoaderData<OperationsData>();
  const refusal = useActionData<RetryRefusal>();
  const { state, revalidate } = useRevalidator();
  const load = useCallback(() => {
    if (state === "idle") void revalidate();
  }, [state, revalidate]);
  usePolling(load, { everyMs: LOAD_EVERY_MS, enabled: true, whenVisible: true });
  return (
    <PageLayout
      title={texts.operations}
      actions={
        <a className="btn" href="/admin/queues">
          {texts.queueDashboard}
        </a>
      }
    >
      <WhenLoaded data={answer}>
        {({ operations }) => <Operations operations={operations} refusal={refusal} />}
      </WhenLoaded>
    </PageLayout>
  );
}

type Props = { operations: OperationsView; refusal: RetryRefusal | undefined };

function Operations({ operations, refusal }: Props) {
  const { queues, lateTimers, books, seal, mails, webhooks, starts } = operations;
  const failedTotal = queues?.counts.reduce((sum, { failed }) => sum + failed, 0) ?? 0;
  return (
    <>
      <Summary operations={operations} failedTotal={failedTotal} />
      <div className="split">
        <div className="stack wide">
          {queues === null ? null : <FailedJobs jobs={queues.failed} total={failedTotal} refusal={refusal} />}
          <LateTimers timers={lateTimers} />
          {queues === null ? null : <QueuesPanel counts={queues.counts} />}
        </div>
        <div className="stack wide">
          <BooksPanel books={books} seal={seal} />
          <MailsPanel mails={mails} />
          <WebhooksPanel webhooks={webhooks} />
          <StartsPanel starts={starts} />
        </div>
      </div>
    </>
  );
}

/** One sentence: whether anything needs attention. */
function Summary({ operations, failedTotal }: { operations: OperationsView; failedTotal: number }) {
  const { queues, lateTimers, books, mails, webhooks } = operations;
  if (queues === null) return <Note tone="bad">{texts.redisAway}</Note>;
  const booksCount = books.differencesCount + (books.overdue ? 1 : 0);
  const count =
    failedTotal + lateTimers.length + mails.waiting + mails.failed + webhooks.failing + booksCount;
  return (
    <Note tone={count === 0 ? "ok" : "warn"}>{count === 0 ? texts.allWell : texts.attention(count)}</Note>
  );
}

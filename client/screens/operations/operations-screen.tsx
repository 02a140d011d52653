import { useCallback } from "react";
import { useActionData, useLoaderData, useRevalidator } from "react-router";
import { usePolling } from "#client/base/live/use-polling.ts";
import * as frame from "#client/ui/frame-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
import type { RetryRefusal } from "./act-on-operations.ts";
import { FailedJobs } from "./failed-jobs.tsx";
import type { OperationsData } from "./load-operations.ts";
import * as texts from "./operations-texts.ts";
import { BooksPanel, StartsPanel } from "./record-panels.tsx";
import { MailsPanel, WebhooksPanel } from "./undelivered-panels.tsx";
import { countWaitingPushes, FailingRowsPanel, LateTimers, QueuesPanel } from "./work-panels.tsx";

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
      title={frame.operations}
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
  const { queues, workers, lateTimers, failingRows = [], books, seal, mails, webhooks, starts } = operations;
  const hasNoWorker = workers === 0;
  const failedTotal = queues?.counts.reduce((sum, { failed }) => sum + failed, 0) ?? 0;
  return (
    <>
      <Summary operations={operations} failedTotal={failedTotal} />
      <div className="split">
        <div className="stack wide">
          {queues === null ? null : <FailedJobs jobs={queues.failed} total={failedTotal} refusal={refusal} />}
          <LateTimers timers={lateTimers} />
          <FailingRowsPanel rows={failingRows} />
          {queues === null ? null : <QueuesPanel counts={queues.counts} hasNoWorker={hasNoWorker} />}
        </div>
        <div className="stack wide">
          <BooksPanel books={books} seal={seal} />
          <MailsPanel mails={mails} hasNoWorker={hasNoWorker} />
          <WebhooksPanel webhooks={webhooks} hasNoWorker={hasNoWorker} />
          <StartsPanel starts={starts} hasNoWorker={hasNoWorker} />
        </div>
      </div>
    </>
  );
}

/** Whether anything needs attention. What is first is the cause of what follows. */
function Summary({ operations, failedTotal }: { operations: OperationsView; failedTotal: number }) {
  const { queues, workers, lateTimers, failingRows = [], books, mails, webhooks } = operations;
  if (queues === null) return <Note tone="bad">{texts.redisAway}</Note>;
  const pushesWaiting = countWaitingPushes(queues.counts);
  const booksCount = books.differencesCount + (books.overdue ? 1 : 0);
  const count =
    failedTotal +
    lateTimers.length +
    failingRows.length +
    booksCount +
    mails.waiting +
    mails.failed +
    pushesWaiting +
    Math.max(webhooks.failing, webhooks.waiting);
  return (
    <>
      {workers === 0 ? <Note tone="bad">{texts.noWorker}</Note> : null}
      {workers === 0 && count === 0 ? null : (
        <Note tone={count === 0 ? "ok" : "warn"}>{count === 0 ? texts.allWell : texts.attention(count)}</Note>
      )}
    </>
  );
}

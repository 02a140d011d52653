import { useActionData, useLoaderData } from "react-router";
import * as frame from "#client/ui/frame-texts.ts";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { OperationsAnswer, OperationsView } from "#src/operate/operations/schemas.ts";
import type { RetryRefusal, SwitchRefusal } from "./act-on-operations.ts";
import { BooksPanel } from "./books-panel.tsx";
import { FailedJobs } from "./failed-jobs.tsx";
import { GivenUpMails } from "./given-up-mails.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import type { OperationsData } from "./load-operations.ts";
import { NowPanel } from "./now-panel.tsx";
import * as texts from "./operations-texts.ts";
import { useOperations } from "./use-operations.ts";
import { WaitsPanel } from "./waits-panel.tsx";
import { FailingRowsPanel, LateTimers, QueuesPanel } from "./work-panels.tsx";

/** The operators' home: whether anything is wrong, what waits, what has happened, and what can be done. */
export function OperationsScreen() {
  const { answer } = useLoaderData<OperationsData>();
  return (
    <PageLayout
      title={frame.operations}
      actions={
        <a className="btn" href="/admin/queues">
          {texts.queueDashboard}
        </a>
      }
    >
      <WhenLoaded data={answer}>{(loaded) => <Operations loaded={loaded} />}</WhenLoaded>
    </PageLayout>
  );
}

function Operations({ loaded }: { loaded: OperationsAnswer }) {
  const refusal = useActionData<RetryRefusal | SwitchRefusal>();
  const { operations, oldBecause } = useOperations(loaded);
  const { queues, lateTimers, failingRows = [], books, seal, mails } = operations;
  const failedTotal = queues?.counts.reduce((sum, { failed }) => sum + failed, 0) ?? 0;
  const retry = refusal !== undefined && "jobId" in refusal ? refusal : undefined;
  const switching = refusal !== undefined && "queue" in refusal ? refusal : undefined;
  return (
    <>
      <NowPanel operations={operations} oldBecause={oldBecause} attention={attentionOf(operations)} />
      <div className="split">
        <div className="stack wide">
          <WaitsPanel operations={operations} />
          <LateTimers timers={lateTimers} />
          <FailingRowsPanel rows={failingRows} />
          {queues === null ? null : <FailedJobs jobs={queues.failed} total={failedTotal} refusal={retry} />}
          <GivenUpMails mails={mails} />
          {queues === null ? null : <QueuesPanel counts={queues.counts} refusal={switching} />}
        </div>
        <div className="stack wide">
          <HistoryPanel operations={operations} />
          <BooksPanel books={books} seal={seal} />
        </div>
      </div>
    </>
  );
}

/** What is over or small, and wants a look: jobs that were given up, mails that were, checks that are due. */
function attentionOf({ queues, books, mails }: OperationsView): number {
  const failed = queues?.failed.filter(({ isOpen }) => isOpen !== false).length ?? 0;
  return failed + mails.failed + books.differencesCount + (books.overdue ? 1 : 0);
}

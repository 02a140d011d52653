import { useCallback, useState } from "react";
import { Link, useActionData, useLoaderData } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { fill } from "#client/ui/fill.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { OperationsAnswer, OperationsView } from "#src/operate/operations/schemas.ts";
import type { RetryRefusal, SwitchRefusal } from "./act-on-operations.ts";
import { FailedJobs } from "./failed-jobs.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import type { OperationsData } from "./load-operations.ts";
import { NowPanel } from "./now-panel.tsx";
import * as texts from "./operations-texts.ts";
import { WaitsPanel } from "./waits-panel.tsx";
import { FailingRowsPanel, LateTimers, QueuesPanel } from "./work-panels.tsx";

const ASK_EVERY_MS = 3_000;
const ANSWER_WITHIN_MS = 5_000;

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

/** The mails that were given up; without one there is no panel. */
function GivenUpMails({ mails: { failed, rows } }: Pick<OperationsView, "mails">) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (failed === 0) return null;
  return (
    <Panel title={texts.mailsGivenUp} aside={failed}>
      <ul className="list">
        {rows.map(({ id, kind, failedAt, error, userId }) => (
          <li key={id} className="operation">
            <div className="grow">
              <b className="small">{texts.mailName(kind)}</b>
              <p className="small ink2 wrap-anywhere">
                {fill(texts.mailGivenUp, { at: <Moment at={failedAt} />, reason: error })}
              </p>
            </div>
            {isAdmin && userId !== null ? (
              <Link className="btn sm" to={`/users/${userId}`}>
                {texts.player}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The last check of the books, and the newest seal over them. */
function BooksPanel({ books, seal }: Pick<OperationsView, "books" | "seal">) {
  const { checkedAt, differencesCount, overdue } = books;
  return (
    <Panel title={texts.books} aside={<Link to="/admin/books">{texts.openBooks}</Link>}>
      <div className="body stack">
        {checkedAt === null ? (
          <p>{texts.booksNotChecked}</p>
        ) : (
          <Note tone={differencesCount === 0 ? "ok" : "bad"}>
            {differencesCount === 0 ? texts.booksBalanced : texts.booksDiffer(differencesCount)}{" "}
            {fill(texts.booksChecked, { at: <Moment at={checkedAt} /> })}
          </Note>
        )}
        {overdue ? <Note tone="warn">{texts.booksOverdue}</Note> : null}
        <div>
          <b className="small">{texts.seal}</b>
          {seal === null ? (
            <p className="small ink2">{texts.noSeal}</p>
          ) : (
            <>
              <p className="small mono wrap-anywhere">{seal.hash}</p>
              <p className="small ink2">{fill(texts.sealHint, { at: <Moment at={seal.sealedAt} /> })}</p>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}

type Known = {
  operations: OperationsView;
  /** Why there are no newer figures; "" if that is not known, null if these are new. */
  oldBecause: string | null;
};
type Asked = Known & { since: OperationsAnswer };

/**
 * The newest figures: asked for again every 3 s while the page is visible. Without an answer the last ones stay, and are old.
 * @param loaded what the page was loaded with, or loaded again after something was done.
 */
function useOperations(loaded: OperationsAnswer): Known {
  const api = useApi();
  const [asked, setAsked] = useState<Asked | null>(null);
  const known = asked?.since === loaded ? asked : { ...loaded, oldBecause: null };
  const ask = useCallback(() => {
    api.get("/api/v1/operations", { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
      ({ operations }) => setAsked({ since: loaded, operations, oldBecause: null }),
      (error: unknown) =>
        setAsked((last) => ({
          since: loaded,
          operations: last?.since === loaded ? last.operations : loaded.operations,
          oldBecause: (error instanceof ApiError ? error.body?.detail : null) ?? "",
        })),
    );
  }, [api, loaded]);
  usePolling(ask, { everyMs: ASK_EVERY_MS, enabled: true, whenVisible: true });
  return known;
}

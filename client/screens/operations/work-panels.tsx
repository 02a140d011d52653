import { fill } from "#client/ui/fill.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { LateTimerView, OperationsView, QueueView } from "#src/operate/operations/schemas.ts";
import { describeTimer } from "./describe-job.ts";
import { EventLinks } from "./failed-jobs.tsx";
import * as texts from "./operations-texts.ts";
import { SendNow } from "./send-now.tsx";

/** What is due and not done. */
export function LateTimers({ timers }: { timers: readonly LateTimerView[] }) {
  return (
    <Panel title={texts.lateTimers}>
      {timers.length === 0 ? <p className="body ink2 small">{texts.noLateTimers}</p> : null}
      <ul className="list">
        {timers.map((timer) => (
          <li key={timer.event.id} className="operation">
            <div className="grow">
              <b>{describeTimer(timer)}</b>
              <p className="small ink2">{fill(texts.dueAt, { at: <Moment at={timer.dueAt} /> })}</p>
            </div>
            <span className="row">
              <EventLinks event={timer.event} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type FailingRows = NonNullable<OperationsView["failingRows"]>;

/** The rows whose work fails again and again; without one there is no panel. */
export function FailingRowsPanel({ rows }: { rows: FailingRows }) {
  if (rows.length === 0) return null;
  return (
    <Panel title={texts.failingRows}>
      <ul className="list">
        {rows.map(({ kind, rowId, attempts, reason, nextAt }) => (
          <li key={`${kind} ${rowId}`} className="operation">
            <div className="grow">
              <b>{texts.failingRow(kind, rowId)}</b>
              <p className="small ink2 wrap-anywhere">
                {fill(texts.triedAgain(attempts), { at: <Moment at={nextAt} />, reason })}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <div className="body stack small">
        <SendNow what={texts.failingRows} label={texts.tryNow} />
      </div>
    </Panel>
  );
}

const PUSHES = "pushes";

/** How many push messages wait for their next attempt: nothing else puts off a job of that queue. */
export function countWaitingPushes(counts: readonly QueueView[]): number {
  return counts.find(({ name }) => name === PUSHES)?.delayed ?? 0;
}

type QueuesProps = { counts: readonly QueueView[]; hasNoWorker: boolean };

/** All queues with their counts in words. Without a worker no push service is to blame. */
export function QueuesPanel({ counts, hasNoWorker }: QueuesProps) {
  return (
    <Panel title={texts.queues} aside={<a href="/admin/queues">{texts.queueDashboard}</a>}>
      <ul className="list">
        {counts.map((queue) => (
          <li key={queue.name} className="operation">
            <div className="grow">
              <b>{texts.queueNames[queue.name] ?? queue.name}</b>
              <p className="small ink2">{texts.queueWords(queue)}</p>
              {queue.name === PUSHES && queue.delayed > 0 && !hasNoWorker ? (
                <p className="small">{texts.pushesWait(queue.delayed)}</p>
              ) : null}
            </div>
            {queue.failed === 0 ? (
              <Pill icon="tick" tone="ok">
                {texts.noneFailed}
              </Pill>
            ) : (
              <Pill icon="warning" tone="bad">
                {texts.failedCount(queue.failed)}
              </Pill>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

import { Form } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { pausableQueues } from "#src/operate/operations/contract.ts";
import type { LateTimerView, OperationsView, QueueView } from "#src/operate/operations/schemas.ts";
import type { SwitchRefusal } from "./act-on-operations.ts";
import { describeTimer } from "./describe-job.ts";
import { EventLinks } from "./failed-jobs.tsx";
import * as texts from "./operations-texts.ts";
import { SendNow } from "./send-now.tsx";

/** What is due and not done; without it there is no panel. */
export function LateTimers({ timers }: { timers: readonly LateTimerView[] }) {
  if (timers.length === 0) return null;
  return (
    <Panel title={texts.lateTimers}>
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

type QueuesProps = { counts: readonly QueueView[]; refusal: SwitchRefusal | undefined };

/** All queues with their counts in words. Admins pause and resume them. */
export function QueuesPanel({ counts, refusal }: QueuesProps) {
  return (
    <Panel title={texts.queues} aside={<a href="/admin/queues">{texts.queueDashboard}</a>}>
      {refusal === undefined ? null : (
        <div className="body">
          <Note tone="bad">{refusal.refusal}</Note>
        </div>
      )}
      <ul className="list">
        {counts.map((queue) => (
          <Queue key={queue.name} queue={queue} />
        ))}
      </ul>
      <p className="body ink2 small">{texts.queueHint}</p>
    </Panel>
  );
}

function Queue({ queue }: { queue: QueueView }) {
  const title = texts.queueNames[queue.name] ?? queue.name;
  return (
    <li className="operation">
      <div className="grow">
        <b>{title}</b>
        <p className="small ink2">{texts.queueWords(queue)}</p>
      </div>
      <span className="row">
        {queue.paused === true ? (
          <Pill icon="pause" tone="warn">
            {texts.paused}
          </Pill>
        ) : null}
        {queue.failed === 0 ? null : (
          <Pill icon="warning" tone="bad">
            {texts.failedCount(queue.failed)}
          </Pill>
        )}
        <SwitchQueue queue={queue} title={title} />
      </span>
    </li>
  );
}

/** Pauses a queue, or lets it go on. */
function SwitchQueue({ queue: { name, paused = false }, title }: { queue: QueueView; title: string }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  const mayPause = pausableQueues.some((pausable) => pausable === name);
  if (!isAdmin || !(paused || mayPause)) return null;
  return (
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="queue" value={name} />
      <Submit className={paused ? "btn primary sm" : "btn sm"} intent={paused ? "resume" : "pause"}>
        {paused ? texts.resume : texts.pause}
        <span className="vh">: {title}</span>
      </Submit>
    </Form>
  );
}

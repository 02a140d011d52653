import { Form, Link } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { pausableQueues } from "#src/operate/operations/contract.ts";
import type { EventRef, LateTimerView, OperationsView, QueueView } from "#src/operate/operations/schemas.ts";
import * as texts from "./operations-texts.ts";
import { SendNow } from "./waits-panel.tsx";

/** What is due and not done; without it there is no panel. */
export function LateTimers({ timers }: { timers: readonly LateTimerView[] }) {
  if (timers.length === 0) return null;
  return (
    <Panel title={texts.lateTimers}>
      <ul className="list">
        {timers.map(({ event, transition, dueAt, lateMs }) => (
          <li key={event.id} className="operation">
            <div className="grow">
              <b>
                {texts.late(texts.timerOf[transition]?.(event.title) ?? event.title, texts.lateTime(lateMs))}
              </b>
              <p className="small ink2">{fill(texts.dueAt, { at: <Moment at={dueAt} /> })}</p>
            </div>
            <span className="row">
              <EventLinks event={event} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The ways to an event: its settlement, and for admins the control room of its session. */
function EventLinks({ event }: { event: EventRef }) {
  const isAdmin = useIsAdmin();
  const { id, title, sessionSlug: slug } = event;
  if (slug === null) return null;
  return (
    <>
      <Link className="btn sm" to={`/sessions/${slug}/events/${id}`}>
        {texts.eventLink}
        <span className="vh">: {title}</span>
      </Link>
      {isAdmin ? (
        <Link className="btn sm" to={`/sessions/${slug}/admin`}>
          {texts.controlRoom}
          <span className="vh">: {title}</span>
        </Link>
      ) : null}
    </>
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

type QueuesProps = { counts: readonly QueueView[]; refusal: Refused | undefined };

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
          <a href={`/admin/queues/queue/${queue.name}?status=failed`}>
            <span className="vh">{title}: </span>
            <Pill icon="warning" tone="bad">
              {texts.failedCount(queue.failed)}
            </Pill>
          </a>
        )}
        <SwitchQueue queue={queue} title={title} />
      </span>
    </li>
  );
}

/** Pauses a queue, or lets it go on. */
function SwitchQueue({ queue: { name, paused = false }, title }: { queue: QueueView; title: string }) {
  const isAdmin = useIsAdmin();
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

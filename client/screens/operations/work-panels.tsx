import { Form, Link } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { type QueueName, queueNames } from "#db/lists/queues.ts";
import { say } from "#src/http/contract.ts";
import { mayPause } from "#src/operate/operations/contract.ts";
import type { EventRef, LateTimerView, OperationsView, QueueView } from "#src/operate/operations/schemas.ts";
import * as texts from "./operations-texts.ts";
import { SendNow } from "./waits-panel.tsx";

const queueWords = (counts: { waiting: number; active: number; delayed: number; completed: number }) =>
  `${formatCount(counts.waiting)} waiting, ${formatCount(counts.active)} running, ${formatCount(counts.delayed)} planned, ${formatCount(counts.completed)} done lately`;

const queueTitles: Readonly<Record<QueueName, string>> = {
  transitions: "Event timers",
  settlements: "Payments of results",
  mails: "Mails",
  pictures: "Pictures",
  "link-pictures": "Pictures of links",
  "dry-runs": "Dry runs",
  "push-fan-outs": "Recipients of push messages",
  pushes: "Push messages",
  webhooks: "Webhooks",
};

const failingRows = "Fails again and again";

const timerOf: Readonly<Record<string, (title: string) => string>> = {
  publish_event: (title) => say`Publication of “${title}”`,
  open_event: (title) => say`Opening of “${title}”`,
  close_event: (title) => say`Close of “${title}”`,
  resolve: (title) => say`Result of “${title}”`,
};

/** What is due and not done; without it there is no panel. */
export function LateTimers({ timers }: { timers: readonly LateTimerView[] }) {
  if (timers.length === 0) return null;
  return (
    <Panel title="Late timers">
      <ul className="list">
        {timers.map(({ event, transition, dueAt, lateMs }) => (
          <li key={event.id} className="operation">
            <div className="grow">
              <b>{say`${timerOf[transition]?.(event.title) ?? event.title}, ${texts.lateTime(lateMs)} late`}</b>
              <p className="small ink2">{fill("Due {at}", { at: <Moment at={dueAt} /> })}</p>
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
        Event
        <span className="vh">: {title}</span>
      </Link>
      {isAdmin ? (
        <Link className="btn sm" to={`/sessions/${slug}/admin`}>
          Control room
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
    <Panel title={failingRows}>
      <ul className="list">
        {rows.map(({ kind, rowId, attempts, reason, nextAt }) => (
          <li key={`${kind} ${rowId}`} className="operation">
            <div className="grow">
              <b>{`${kind.replaceAll("_", " ")} ${rowId}`}</b>
              <p className="small ink2 wrap-anywhere">
                {fill(`Failed ${formatCount(attempts)} times, and is tried again {at}. {reason}`, {
                  at: <Moment at={nextAt} />,
                  reason,
                })}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <div className="body stack small">
        <SendNow what={failingRows} label="Try now" />
      </div>
    </Panel>
  );
}

type QueuesProps = { counts: readonly QueueView[]; refusal: Refused | undefined };

/** All queues with their counts in words. Admins pause and resume them. */
export function QueuesPanel({ counts, refusal }: QueuesProps) {
  return (
    <Panel title="Queues" aside={<a href="/admin/queues">{texts.queueDashboard}</a>}>
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
      <p className="body ink2 small">
        Paused, a queue finishes what runs and keeps the rest until it is resumed, also over a restart. The
        game's timers and payments cannot be paused here: pause the session. Failed jobs are shown and retried
        on the queue dashboard.
      </p>
    </Panel>
  );
}

function Queue({ queue }: { queue: QueueView }) {
  const known = queueNames.find((name) => name === queue.name);
  const title = known === undefined ? queue.name : queueTitles[known];
  return (
    <li className="operation">
      <div className="grow">
        <b>{title}</b>
        <p className="small ink2">{queueWords(queue)}</p>
      </div>
      <span className="row">
        {queue.paused === true ? (
          <Pill icon="pause" tone="warn">
            {words.paused}
          </Pill>
        ) : null}
        {queue.failed === 0 ? null : (
          <a href={`/admin/queues/queue/${queue.name}?status=failed`}>
            <span className="vh">{title}: </span>
            <Pill icon="warning" tone="bad">
              {`${formatCount(queue.failed)} failed`}
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
  if (!isAdmin || !(paused || mayPause(name))) return null;
  return (
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="queue" value={name} />
      <Submit className={paused ? "btn primary sm" : "btn sm"} intent={paused ? "resume" : "pause"}>
        {paused ? "Resume" : "Pause"}
        <span className="vh">: {title}</span>
      </Submit>
    </Form>
  );
}

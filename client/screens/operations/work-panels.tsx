import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { fill } from "#client/ui/fill.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Named, PostButton, Refusal } from "#client/ui/post-form.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { MailKind } from "#db/lists/mails.ts";
import { type QueueName, queueNames } from "#db/lists/queues.ts";
import { labelsOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import { FEED_BEHIND_MS } from "#src/operate/checks/contract.ts";
import { mayPause } from "#src/operate/operations/contract.ts";
import type {
  EventRef,
  LateTimerView,
  OperationsView,
  QueueView,
  WaitingView,
} from "#src/operate/operations/schemas.ts";

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
              <b>{say`${timerOf[transition]?.(event.title) ?? event.title}, ${lateTime(lateMs)} late`}</b>
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
        <Named label="Event" name={title} />
      </Link>
      {isAdmin ? (
        <Link className="btn sm" to={`/sessions/${slug}/admin`}>
          <Named label="Control room" name={title} />
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
    <Panel title="Queues" aside={<a href="/admin/queues">{queueDashboard}</a>}>
      <Refusal refused={refusal} inBody />
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
    <PostButton
      className={paused ? "btn primary sm" : "btn sm"}
      intent={paused ? "resume" : "pause"}
      fields={{ queue: name }}
    >
      <Named label={paused ? "Resume" : "Pause"} name={title} />
    </PostButton>
  );
}

const waitingWebhooks = "Messages to webhooks";

const workerFirst = "No worker runs: start it first.";

const waitsNow = (count: number) => `${formatCount(count)} ${count === 1 ? "waits" : "wait"}.`;

/** How much waits of each kind. It decides what is listed as waiting, and whether all is well. */
export function waitingIn(operations: OperationsView) {
  const { lateTimers, unpaid, feedBehindMs = 0, mails, webhooks, pushes, workers } = operations;
  const unsent = (of: WaitingView | undefined) =>
    (of?.waiting ?? 0) + (workers === 0 ? (of?.sending ?? 0) : 0);
  return {
    timers: lateTimers.length,
    payments: unpaid?.count ?? 0,
    news: feedBehindMs >= FEED_BEHIND_MS ? 1 : 0,
    mails: unsent(mails),
    webhooks: Math.max(webhooks.waiting, webhooks.failures?.length ?? 0),
    pushes: unsent(pushes),
  };
}

/** What waits, how long and why, and what sends it now. */
export function WaitsPanel({ operations }: { operations: OperationsView }) {
  const { mails, pushes, unpaid, feedBehindMs = 0, workers } = operations;
  const counts = waitingIn(operations);
  const hasNoWorker = workers === 0;
  return (
    <Panel title="What waits">
      <ul className="list">
        <Waiting what="Actions that are due" count={counts.timers}>
          {waitsNow(counts.timers)}
        </Waiting>
        <Waiting what="Payments of results" count={counts.payments}>
          <Since count={counts.payments} at={unpaid?.oldestAt ?? null} />
        </Waiting>
        <Waiting what="News for pages" count={counts.news}>
          {`The oldest waits for ${lateTime(feedBehindMs)}.`}
        </Waiting>
        <Unsent what="Mails" of={mails} count={counts.mails} hasNoWorker={hasNoWorker} />
        <Webhooks webhooks={operations.webhooks} count={counts.webhooks} hasNoWorker={hasNoWorker} />
        <Unsent what="Push messages" of={pushes} count={counts.pushes} hasNoWorker={hasNoWorker} />
      </ul>
    </Panel>
  );
}

/** Sends and tries again now what waits. */
function SendNow({ what, label = "Send now" }: { what: string; label?: string }) {
  const isAdmin = useIsAdmin();
  if (!isAdmin) return <p className="ink2">Only admins send and retry.</p>;
  return (
    <PostButton intent="send_waiting">
      <Named label={label} name={what} />
    </PostButton>
  );
}

type WaitingProps = { what: string; count: number; actions?: ReactNode; children: ReactNode };

function Waiting({ what, count, actions, children }: WaitingProps) {
  return (
    <li className="operation">
      <div className="grow">
        <b>{what}</b>
        {count === 0 ? null : <div className="small ink2">{children}</div>}
      </div>
      {count === 0 ? (
        <Pill icon="tick" tone="ok">
          Nothing waits
        </Pill>
      ) : (
        actions
      )}
    </li>
  );
}

function Since({ count, at }: { count: number; at: string | null }) {
  return (
    <p>
      {at === null
        ? waitsNow(count)
        : fill(`${formatCount(count)} ${count === 1 ? "waits" : "wait"} since {at}.`, {
            at: <Moment at={at} />,
          })}
    </p>
  );
}

/** Why the last attempt failed, and when the next one is. */
function Attempts({ reason, nextAt }: { reason: string | null; nextAt: string | null }) {
  return (
    <>
      {reason === null ? null : (
        <p className="wrap-anywhere">{fill("The last attempt failed: {reason}", { reason })}</p>
      )}
      {nextAt === null ? null : (
        <p>
          {fill(words.nextAttemptAt, { at: <Moment at={nextAt} /> })} The rest follows as soon as one is
          taken.
        </p>
      )}
    </>
  );
}

type HasNoWorker = { count: number; hasNoWorker: boolean };

/** Without a worker no other server is to blame. */
function Unsent({
  what,
  of,
  count,
  hasNoWorker,
}: { what: string; of: WaitingView | undefined } & HasNoWorker) {
  const { oldestAt = null, reason = null, nextAt = null } = of ?? {};
  return (
    <Waiting what={what} count={count} actions={hasNoWorker ? null : <SendNow what={what} />}>
      <Since count={count} at={oldestAt} />
      {hasNoWorker ? <p>{workerFirst}</p> : <Attempts reason={reason} nextAt={nextAt} />}
    </Waiting>
  );
}

function Webhooks({ webhooks, count, hasNoWorker }: Pick<OperationsView, "webhooks"> & HasNoWorker) {
  const isAdmin = useIsAdmin();
  const { waiting, failures = [] } = webhooks;
  const action = (
    <span className="row">
      {isAdmin ? (
        <Link className="btn sm" to="/admin/webhooks">
          {words.webhooks}
        </Link>
      ) : null}
      {waiting === 0 || hasNoWorker ? null : <SendNow what={waitingWebhooks} />}
    </span>
  );
  return (
    <Waiting what={waitingWebhooks} count={count} actions={action}>
      {failures.map(({ id, name, failingSince, ...failure }) => (
        <div key={id}>
          <p className="ink">
            {fill("{name} takes no messages since {at}.", { name, at: <Moment at={failingSince} /> })}{" "}
            {waitsNow(failure.waiting)}
          </p>
          {hasNoWorker ? null : <Attempts reason={failure.reason} nextAt={failure.nextAt} />}
        </div>
      ))}
      {failures.length === 0 ? <p>{waitsNow(waiting)}</p> : null}
      {hasNoWorker ? <p>{workerFirst}</p> : null}
    </Waiting>
  );
}

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Seconds are said up to here, minutes up to the next. */
const SECONDS_BELOW = 100;
const MINUTES_BELOW_S = 2 * HOUR_S;

/** "4 s", "12 min", "3 h" */
export function lateTime(lateMs: number): string {
  const seconds = Math.floor(lateMs / SECOND_MS);
  if (seconds < 1) return "less than 1 s";
  if (seconds < SECONDS_BELOW) return `${formatCount(seconds)} s`;
  if (seconds < MINUTES_BELOW_S) return `${formatCount(Math.round(seconds / MINUTE_S))} min`;
  return `${formatCount(Math.round(seconds / HOUR_S))} h`;
}

/** The texts of the operators' home. */
export const queueDashboard = "Queue dashboard";

// Mails that were given up
export const mailName = labelsOf<MailKind>({
  confirm_email: "Confirmation of an address",
  reset_password: "New password",
  unlock: "Unlocking an account",
  change_email: "Change of an address",
  email_change_asked: "Note: change of address asked for",
  email_changed: "Note: address changed",
  password_changed: "Note: password changed",
  passkey_added: "Note: passkey added",
  passkey_removed: "Note: passkey removed",
  session_reminder: "Reminder of a session",
});

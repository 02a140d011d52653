import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import { countOf, formatCount } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { fill } from "#client/ui/fill.tsx";
import { Named, PostButton, Refusal } from "#client/ui/forms/post-form.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { ExactMoment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { MailKind } from "#db/lists/mails.ts";
import { labelsOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import { FEED_BEHIND_MS } from "#src/operate/checks/contract.ts";
import { queueTitle } from "#src/operate/operations/contract.ts";
import type {
  EventRef,
  FailedJobView,
  LateTimerView,
  OperationsView,
  WaitingView,
} from "#src/operate/operations/schemas.ts";
import { queuePath, SwitchQueue } from "./queues-panel.tsx";

const timerOf: Readonly<Record<string, (title: string) => string>> = {
  publish_event: (title) => say`Publication of “${title}”`,
  open_event: (title) => say`Opening of “${title}”`,
  close_event: (title) => say`Close of “${title}”`,
  resolve: (title) => say`Result of “${title}”`,
};

/** The ways to an event: its settlement, and for admins the control room of its session. */
function EventLinks({ event, className = "btn sm" }: { event: EventRef; className?: string }) {
  const isAdmin = useIsAdmin();
  const { id, title, sessionSlug: slug } = event;
  if (slug === null) return null;
  return (
    <>
      <Link className={className} to={`/sessions/${slug}/events/${id}`}>
        <Named label={words.action} name={title} />
      </Link>{" "}
      {isAdmin ? (
        <Link className={className} to={`/sessions/${slug}/admin`}>
          <Named label="Control room" name={title} />
        </Link>
      ) : null}
    </>
  );
}

/** The rows of work that is late, waits or has failed; none where all is done. */
export function workOf(operations: OperationsView): ReactElement[] {
  const { lateTimers, failingRows = [], mails, queues, troubles } = operations;
  const failed = queues?.failed.filter(({ isOpen }) => isOpen !== false) ?? [];
  return [
    ...lateTimers.map(lateTimer),
    ...waitingOf(operations),
    ...failed.map((job) => <FailedJobs key={`job ${job.queue} ${job.id}`} job={job} troubles={troubles} />),
    ...failingRows.map(failingRow),
    ...mails.rows.map((mail) => <GivenUpMail key={`mail ${mail.id}`} mail={mail} />),
  ];
}

function waitingOf({ unpaid, feedBehindMs = 0, workers, ...operations }: OperationsView): ReactElement[] {
  const { queues, webhooks, mails, pushes } = operations;
  const hasNoWorker = workers === 0;
  // Without a worker nothing is being sent.
  const unsentOf = ({ waiting, sending }: WaitingView) => waiting + (hasNoWorker ? sending : 0);
  const unsent = (what: string, noun: string, of: WaitingView | undefined) =>
    of !== undefined &&
    unsentOf(of) > 0 && (
      <Work key={what} what={what} actions={hasNoWorker ? null : <SendNow what={what} />}>
        <Since count={unsentOf(of)} noun={noun} at={of.oldestAt} />
        <Attempts {...of} hasNoWorker={hasNoWorker} />
      </Work>
    );
  const rows = [
    unpaid !== undefined && unpaid.count > 0 && (
      <Work key="unpaid" what="Payments of results">
        <Since count={unpaid.count} noun="result" at={unpaid.oldestAt} />
      </Work>
    ),
    feedBehindMs >= FEED_BEHIND_MS && (
      <Work key="news" what="News for pages">{`The oldest waits for ${lateTime(feedBehindMs)}.`}</Work>
    ),
    unsent("Mails", "mail", mails),
    Math.max(webhooks.waiting, webhooks.failing) > 0 && (
      <Webhooks key="webhooks" webhooks={webhooks} hasNoWorker={hasNoWorker} />
    ),
    unsent("Push messages", "message", pushes),
    queues === null && (
      <Work key="jobs" what="Jobs">
        Not known while Redis is away.
      </Work>
    ),
  ];
  return rows.filter((row) => row !== false);
}

type WorkPanelProps = { rows: readonly ReactElement[]; refusal: Refused | undefined };

/** What is late, waits or has failed, how long and why, and what sends it now or tries it again. */
export function WorkPanel({ rows, refusal }: WorkPanelProps) {
  if (rows.length === 0 && refusal === undefined) return null;
  return (
    <Panel title="What waits, and what has failed">
      <Refusal refused={refusal} inBody />
      <ul className="list">{rows}</ul>
    </Panel>
  );
}

type WorkProps = { what: string; actions?: ReactNode; children: ReactNode };

function Work({ what, actions = null, children }: WorkProps) {
  return (
    <li className="operation">
      <div className="grow">
        <b>{what}</b>
        <div className="small ink2">{children}</div>
      </div>
      {actions ? <span className="row wrap">{actions}</span> : null}
    </li>
  );
}

const lateTimer = ({ event, transition, dueAt, lateMs }: LateTimerView) => (
  <Work
    key={`timer ${event.id}`}
    what={say`${timerOf[transition]?.(event.title) ?? event.title}, ${lateTime(lateMs)} late`}
    actions={<EventLinks event={event} />}
  >
    {fill("Due {at}", { at: <ExactMoment at={dueAt} /> })}
  </Work>
);

/** The trouble that makes the jobs of a queue fail, where there is one of its own. */
const partOf: Readonly<Record<string, string>> = {
  transitions: "timers",
  settlements: "settlements",
  mails: "mails",
  pictures: "storage",
  "link-pictures": "storage",
  pushes: "pushes",
  "push-fan-outs": "pushes",
  webhooks: "webhooks",
};

/** Failed jobs of one kind: why, the trouble behind it, and what runs all of them again. */
function FailedJobs({ job, troubles = [] }: { job: FailedJobView; troubles: OperationsView["troubles"] }) {
  const { queue, id, event, reason, failedAt, attempts, count = 1 } = job;
  const isAdmin = useIsAdmin();
  const title = queueTitle(queue);
  const part = troubles.find((trouble) => trouble.part === partOf[queue])?.part;
  const what = event === null ? title : say`${title} about “${event.title}”`;
  return (
    <Work
      what={say`${what}: ${countOf(count, "job")} failed`}
      actions={
        isAdmin && (
          <PostButton intent="retry" fields={{ queue, job: id }}>
            <Named label={count === 1 ? "Retry" : "Retry all"} name={what} />
          </PostButton>
        )
      }
    >
      <p className="wrap-anywhere">{reason}</p>
      <p>
        {fill(`Last {at}, after ${countOf(attempts, "attempt")}.`, { at: <ExactMoment at={failedAt} /> })}{" "}
        <a href={`${queuePath(queue)}/${id}?status=failed`}>
          <Named label="Details" name={what} />
        </a>{" "}
        {part === undefined ? null : <a href={`#trouble-${part}`}>What is wrong</a>}{" "}
        {event === null ? null : <EventLinks event={event} className="" />}
      </p>
    </Work>
  );
}

type FailingRow = NonNullable<OperationsView["failingRows"]>[number];

function failingRow({ kind, rowId, attempts, reason, nextAt }: FailingRow) {
  const what = `${kind.replaceAll("_", " ")} ${rowId}`;
  return (
    <Work
      key={what}
      what={say`${what} fails again and again`}
      actions={<SendNow what={what} label="Try now" />}
    >
      <p className="wrap-anywhere">
        {fill(`Failed ${formatCount(attempts)} times, and is tried again {at}. {reason}`, {
          at: <ExactMoment at={nextAt} />,
          reason,
        })}
      </p>
    </Work>
  );
}

type GivenUpProps = { mail: OperationsView["mails"]["rows"][number] };

function GivenUpMail({ mail: { kind, failedAt, error, userId } }: GivenUpProps) {
  const isAdmin = useIsAdmin();
  const player = isAdmin && userId !== null && (
    <Link className="btn sm" to={`/users/${userId}`}>
      {words.player}
    </Link>
  );
  return (
    <Work what={`A mail was given up: ${mailName(kind)}`} actions={player}>
      <p className="wrap-anywhere">
        {fill("Given up {at}: {reason}", { at: <ExactMoment at={failedAt} />, reason: error })}
      </p>
    </Work>
  );
}

/** What the product itself can do about a trouble. */
export function Cure({ part, operations: { queues } }: { part: string; operations: OperationsView }) {
  if (part === "mails" || part === "webhooks" || part === "pushes") return <SendNow what={part} isFirst />;
  if (part === "rows") return <SendNow what="all that fails" label="Try now" isFirst />;
  if (part !== "queues") return null;
  const paused = queues?.counts.filter((queue) => queue.paused === true) ?? [];
  return (
    <div className="row wrap">
      {paused.map((queue) => (
        <SwitchQueue key={queue.name} queue={queue} isNamed />
      ))}
    </div>
  );
}

type SendNowProps = { what: string; label?: string; isFirst?: boolean };

/** Sends and tries again now what waits. @param isFirst it is what to do first. */
function SendNow({ what, label = "Send now", isFirst = false }: SendNowProps) {
  if (!useIsAdmin()) return null;
  return (
    <PostButton intent="send_waiting" className={isFirst ? "btn primary sm" : "btn sm"}>
      <Named label={label} name={what} />
    </PostButton>
  );
}

/** "1 mail waits since 21 Nov 8:04:12 AM." */
function Since({ count, noun, at = null }: { count: number; noun: string; at?: string | null | undefined }) {
  const waits = `${countOf(count, noun)} ${count === 1 ? "waits" : "wait"}`;
  return <p>{at === null ? `${waits}.` : fill(`${waits} since {at}.`, { at: <ExactMoment at={at} /> })}</p>;
}

type HasNoWorker = { hasNoWorker: boolean };

/** Why the last attempt failed, and when the next one is. Without a worker no other server is to blame. */
function Attempts({ reason, nextAt, hasNoWorker }: Pick<WaitingView, "reason" | "nextAt"> & HasNoWorker) {
  if (hasNoWorker) return <p>No worker runs: start it first.</p>;
  return (
    <>
      {reason === null ? null : (
        <p className="wrap-anywhere">{fill("The last attempt failed: {reason}", { reason })}</p>
      )}
      {nextAt === null ? null : (
        <p>
          {fill(words.nextAttemptAt, { at: <ExactMoment at={nextAt} /> })} The rest follows as soon as one is
          taken.
        </p>
      )}
    </>
  );
}

function Webhooks({ webhooks, hasNoWorker }: Pick<OperationsView, "webhooks"> & HasNoWorker) {
  const isAdmin = useIsAdmin();
  const { waiting, failures = [] } = webhooks;
  const what = "Messages to webhooks";
  const actions = isAdmin && (
    <>
      <Link className="btn sm" to="/admin/webhooks">
        {words.webhooks}
      </Link>
      {waiting === 0 || hasNoWorker ? null : <SendNow what={what} />}
    </>
  );
  return (
    <Work what={what} actions={actions}>
      {failures.map(({ id, name, failingSince, ...failure }) => (
        <div key={id}>
          <p className="ink">
            {fill("{name} takes no messages since {at}.", { name, at: <ExactMoment at={failingSince} /> })}
          </p>
          <Since count={failure.waiting} noun="message" />
          {hasNoWorker ? null : <Attempts {...failure} hasNoWorker={false} />}
        </div>
      ))}
      {failures.length === 0 ? <Since count={waiting} noun="message" /> : null}
      {hasNoWorker ? <Attempts reason={null} nextAt={null} hasNoWorker /> : null}
    </Work>
  );
}

/** "4 s", "12 min", "3 h" */
export function lateTime(lateMs: number): string {
  const seconds = Math.floor(lateMs / 1_000);
  if (seconds < 1) return "less than 1 s";
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${formatCount(Math.round(minutes / 60))} h`;
}

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
  provider_linked: "Note: sign-in with the organisation",
  session_reminder: "Reminder of a session",
});

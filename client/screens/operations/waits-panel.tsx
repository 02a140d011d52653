import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
import * as texts from "./operations-texts.ts";

const pushesWait = (count: number) =>
  `${formatCount(count)} ${count === 1 ? "waits" : "wait"} for a push service, and ${count === 1 ? "is" : "are"} sent as soon as it takes one.`;

const waitingWebhooks = "Messages to webhooks";

const waitingMails = "Mails";

const workerFirst = "No worker runs: start it first.";

const beingSent = (count: number) => `${formatCount(count)} ${count === 1 ? "is" : "are"} being sent.`;

const waitsNow = (count: number) => `${formatCount(count)} ${count === 1 ? "waits" : "wait"}.`;

const waitsSince = (count: number) => `${formatCount(count)} ${count === 1 ? "waits" : "wait"} since {at}.`;

/** News is told within milliseconds; the sweep tells within a second what was missed. */
const NEWS_LATE_MS = 1_500;

/** What waits, how long and why, and what sends it now. */
export function WaitsPanel({ operations }: { operations: OperationsView }) {
  const { lateTimers, mails, unpaid = { count: 0, oldestAt: null }, feedBehindMs = 0 } = operations;
  return (
    <Panel title="What waits">
      <ul className="list">
        <Waiting what="Actions that are due" count={lateTimers.length}>
          {waitsNow(lateTimers.length)}
        </Waiting>
        <Waiting what="Payments of results" count={unpaid.count}>
          <Since count={unpaid.count} at={unpaid.oldestAt} />
        </Waiting>
        <Waiting what="News for pages" count={feedBehindMs > NEWS_LATE_MS ? 1 : 0}>
          {`The oldest waits for ${texts.lateTime(feedBehindMs)}.`}
        </Waiting>
        <Mails mails={mails} hasNoWorker={operations.workers === 0} />
        <Webhooks webhooks={operations.webhooks} hasNoWorker={operations.workers === 0} />
        <Pushes queues={operations.queues} />
      </ul>
    </Panel>
  );
}

/** Sends and tries again now what waits. */
export function SendNow({ what, label = "Send now" }: { what: string; label?: string }) {
  const isAdmin = useIsAdmin();
  if (!isAdmin) return <p className="ink2">Only admins send and retry.</p>;
  return (
    <Form method="post">
      <CsrfField />
      <Submit className="btn sm" intent="send_waiting">
        {label}
        <span className="vh">: {what}</span>
      </Submit>
    </Form>
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
  return <p>{at === null ? waitsNow(count) : fill(waitsSince(count), { at: <Moment at={at} /> })}</p>;
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

type HasNoWorker = { hasNoWorker: boolean };

/** Without a worker the mail server is not to blame. */
function Mails({ mails, hasNoWorker }: Pick<OperationsView, "mails"> & HasNoWorker) {
  const { oldestAt = null, reason, nextAt } = mails;
  const sending = hasNoWorker ? 0 : mails.sending;
  const waiting = hasNoWorker ? mails.waiting + mails.sending : mails.waiting;
  return (
    <Waiting
      what={waitingMails}
      count={waiting + sending}
      actions={waiting === 0 || hasNoWorker ? null : <SendNow what={waitingMails} />}
    >
      {sending === 0 ? null : <p>{beingSent(sending)}</p>}
      {waiting === 0 ? null : <Since count={waiting} at={oldestAt} />}
      {hasNoWorker ? <p>{workerFirst}</p> : <Attempts reason={reason} nextAt={nextAt} />}
    </Waiting>
  );
}

function Webhooks({ webhooks, hasNoWorker }: Pick<OperationsView, "webhooks"> & HasNoWorker) {
  const isAdmin = useIsAdmin();
  const { waiting, failures = [] } = webhooks;
  const count = Math.max(waiting, failures.length);
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

/** How many push messages wait for their next attempt: nothing else puts off a job of that queue. */
function Pushes({ queues }: Pick<OperationsView, "queues">) {
  const count = queues?.counts.find(({ name }) => name === "pushes")?.delayed ?? 0;
  return (
    <Waiting what="Push messages" count={queues === null ? 1 : count}>
      {queues === null ? "Not known while Redis is away." : pushesWait(count)}
    </Waiting>
  );
}

import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
import * as texts from "./operations-texts.ts";

/** News is told within milliseconds; the sweep tells within a second what was missed. */
const NEWS_LATE_MS = 1_500;

/** What waits, how long and why, and what sends it now. */
export function WaitsPanel({ operations }: { operations: OperationsView }) {
  const { lateTimers, mails, unpaid = { count: 0, oldestAt: null }, feedBehindMs = 0 } = operations;
  return (
    <Panel title={texts.waits}>
      <ul className="list">
        <Waiting what={texts.waitingTimers} count={lateTimers.length}>
          {texts.waitsNow(lateTimers.length)}
        </Waiting>
        <Waiting what={texts.waitingResults} count={unpaid.count}>
          <Since count={unpaid.count} at={unpaid.oldestAt} />
        </Waiting>
        <Waiting what={texts.waitingNews} count={feedBehindMs > NEWS_LATE_MS ? 1 : 0}>
          {texts.newsWaits(texts.lateTime(feedBehindMs))}
        </Waiting>
        <Mails mails={mails} hasNoWorker={operations.workers === 0} />
        <Webhooks webhooks={operations.webhooks} hasNoWorker={operations.workers === 0} />
        <Pushes queues={operations.queues} />
      </ul>
    </Panel>
  );
}

/** Sends and tries again now what waits. */
export function SendNow({ what, label = texts.sendNow }: { what: string; label?: string }) {
  const isAdmin = useIsAdmin();
  if (!isAdmin) return <p className="ink2">{texts.sendNowHint}</p>;
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
          {texts.nothingWaits}
        </Pill>
      ) : (
        actions
      )}
    </li>
  );
}

function Since({ count, at }: { count: number; at: string | null }) {
  return (
    <p>{at === null ? texts.waitsNow(count) : fill(texts.waitsSince(count), { at: <Moment at={at} /> })}</p>
  );
}

/** Why the last attempt failed, and when the next one is. */
function Attempts({ reason, nextAt }: { reason: string | null; nextAt: string | null }) {
  return (
    <>
      {reason === null ? null : <p className="wrap-anywhere">{fill(texts.lastReason, { reason })}</p>}
      {nextAt === null ? null : (
        <p>
          {fill(texts.nextAttempt, { at: <Moment at={nextAt} /> })} {texts.restFollows}
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
      what={texts.waitingMails}
      count={waiting + sending}
      actions={waiting === 0 || hasNoWorker ? null : <SendNow what={texts.waitingMails} />}
    >
      {sending === 0 ? null : <p>{texts.beingSent(sending)}</p>}
      {waiting === 0 ? null : <Since count={waiting} at={oldestAt} />}
      {hasNoWorker ? <p>{texts.workerFirst}</p> : <Attempts reason={reason} nextAt={nextAt} />}
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
          {texts.openWebhooks}
        </Link>
      ) : null}
      {waiting === 0 || hasNoWorker ? null : <SendNow what={texts.waitingWebhooks} />}
    </span>
  );
  return (
    <Waiting what={texts.waitingWebhooks} count={count} actions={action}>
      {failures.map(({ id, name, failingSince, ...failure }) => (
        <div key={id}>
          <p className="ink">
            {fill(texts.failsSince, { name, at: <Moment at={failingSince} /> })}{" "}
            {texts.waitsNow(failure.waiting)}
          </p>
          {hasNoWorker ? null : <Attempts reason={failure.reason} nextAt={failure.nextAt} />}
        </div>
      ))}
      {failures.length === 0 ? <p>{texts.waitsNow(waiting)}</p> : null}
      {hasNoWorker ? <p>{texts.workerFirst}</p> : null}
    </Waiting>
  );
}

/** How many push messages wait for their next attempt: nothing else puts off a job of that queue. */
function Pushes({ queues }: Pick<OperationsView, "queues">) {
  const count = queues?.counts.find(({ name }) => name === "pushes")?.delayed ?? 0;
  return (
    <Waiting what={texts.waitingPushes} count={queues === null ? 1 : count}>
      {queues === null ? texts.unknownWithoutRedis : texts.pushesWait(count)}
    </Waiting>
  );
}

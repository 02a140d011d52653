import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { fill } from "#client/ui/fill.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
import * as texts from "./operations-texts.ts";
import { SendNow } from "./send-now.tsx";

/** The mails that wait, and those that were given up. */
export function MailsPanel({ mails, hasNoWorker }: Pick<OperationsView, "mails"> & { hasNoWorker: boolean }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  const { waiting, sending, failed, rows } = mails;
  return (
    <Panel title={texts.mails}>
      <div className="body stack small">
        {waiting + sending + failed === 0 ? <p className="ink2">{texts.mailsDelivered}</p> : null}
        {sending === 0 ? null : <p className="ink2">{texts.mailsSending(sending)}</p>}
        {waiting === 0 ? null : <WaitingMails mails={mails} hasNoWorker={hasNoWorker} />}
        {failed === 0 ? null : <p>{texts.mailsFailed(failed)}</p>}
      </div>
      <ul className="list">
        {rows.map(({ id, kind, failedAt, error, userId }) => (
          <li key={id} className="operation">
            <div className="grow">
              <b className="small">{texts.mailNames[kind] ?? kind}</b>
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

/** How many mails wait, and why. Without a worker the mail server is not to blame. */
function WaitingMails({ mails, hasNoWorker }: Pick<OperationsView, "mails"> & { hasNoWorker: boolean }) {
  const { waiting, reason, nextAt } = mails;
  const isTried = reason !== null && nextAt !== null && !hasNoWorker;
  return (
    <>
      <p>{texts.mailsWaiting(waiting)}</p>
      {isTried ? (
        <>
          <p className="ink2 wrap-anywhere">{fill(texts.mailReason, { reason })}</p>
          <p className="ink2">
            {fill(texts.nextAttempt, { at: <Moment at={nextAt} /> })} {texts.mailCure}
          </p>
          <SendNow what={texts.mails} />
        </>
      ) : null}
    </>
  );
}

/** How many webhooks fail, and how many messages wait for their next attempt. */
export function WebhooksPanel({
  webhooks: { count, failing, waiting },
  hasNoWorker,
}: Pick<OperationsView, "webhooks"> & { hasNoWorker: boolean }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  return (
    <Panel
      title={texts.webhooks}
      aside={isAdmin ? <Link to="/admin/webhooks">{texts.openWebhooks}</Link> : undefined}
    >
      <div className="body stack small">
        {count === 0 ? <p>{texts.noWebhooks}</p> : null}
        {count > 0 && failing === 0 ? <p>{texts.webhooksWell(count)}</p> : null}
        {failing > 0 ? <p>{texts.webhooksFailing(failing, count)}</p> : null}
        {waiting > 0 ? <p>{texts.messagesWaiting(waiting)}</p> : null}
        {waiting > 0 && !hasNoWorker ? <SendNow what={texts.webhooks} /> : null}
      </div>
    </Panel>
  );
}

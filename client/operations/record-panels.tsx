import { Link } from "react-router";
import type { OperationsView } from "#src/operations/schemas.ts";
import { useViewer } from "../context.ts";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Moment } from "../ui/time.tsx";
import * as texts from "./operations-texts.ts";

/** The last check of the books, and the newest seal over them. */
export function BooksPanel({ books, seal }: Pick<OperationsView, "books" | "seal">) {
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

/** The mails that wait, and those that were given up. */
export function MailsPanel({ mails }: Pick<OperationsView, "mails">) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  const { waiting, failed, rows } = mails;
  return (
    <Panel title={texts.mails}>
      <div className="body stack small">
        {waiting + failed === 0 ? <p className="ink2">{texts.mailsDelivered}</p> : null}
        {waiting === 0 ? null : <p>{texts.mailsWaiting(waiting)}</p>}
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

function webhooksText(count: number, failing: number): string {
  if (count === 0) return texts.noWebhooks;
  return failing === 0 ? texts.webhooksWell(count) : texts.webhooksFailing(failing, count);
}

/** How many webhooks fail. */
export function WebhooksPanel({ webhooks: { count, failing } }: Pick<OperationsView, "webhooks">) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  return (
    <Panel
      title={texts.webhooks}
      aside={isAdmin ? <Link to="/admin/webhooks">{texts.openWebhooks}</Link> : undefined}
    >
      <p className="body small">{webhooksText(count, failing)}</p>
    </Panel>
  );
}

/** When the processes have started. */
export function StartsPanel({ starts }: Pick<OperationsView, "starts">) {
  return (
    <Panel title={texts.starts}>
      {starts.length === 0 ? <p className="body ink2 small">{texts.noStarts}</p> : null}
      <ul className="list">
        {starts.map(({ process, pid, startedAt }) => (
          <li key={`${startedAt} ${pid}`} className="dense">
            <b className="small">{process}</b>
            <span className="push small ink2">
              {fill(texts.startedAt, { at: <Moment at={startedAt} />, pid })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

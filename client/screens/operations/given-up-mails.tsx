import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { fill } from "#client/ui/fill.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
import * as texts from "./operations-texts.ts";

/** The mails that were given up; without one there is no panel. */
export function GivenUpMails({ mails: { failed, rows } }: Pick<OperationsView, "mails">) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (failed === 0) return null;
  return (
    <Panel title={texts.mailsGivenUp} aside={failed}>
      <ul className="list">
        {rows.map(({ id, kind, failedAt, error, userId }) => (
          <li key={id} className="operation">
            <div className="grow">
              <b className="small">{texts.mailName(kind)}</b>
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

import { Link } from "react-router";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
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

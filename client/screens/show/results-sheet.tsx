import { useId } from "react";
import { sessionPath } from "#client/sessions/load-session.ts";
import { sheetTables } from "#src/show/results-sheet/contract.ts";
import { sheetTexts } from "./texts/sheet-texts.ts";

/** A button that offers the results sheet of a session as files. It works without JavaScript. */
export function ResultsSheet({ slug, className }: { slug: string; className: string }) {
  const id = useId();
  const address = `${sessionPath(slug)}/results`;
  return (
    <>
      <button className={className} type="button" popoverTarget={id} aria-haspopup="dialog">
        {sheetTexts.results}
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{sheetTexts.title}</h2>
        <p className="ink2">{sheetTexts.about}</p>
        <div className="stack">
          {sheetTables.map((table) => (
            <a key={table} className="btn wide" href={`${address}.csv?table=${table}`} download>
              {sheetTexts.csv[table]}
            </a>
          ))}
          <a className="btn wide" href={address} download={`called-it-results-${slug}.json`}>
            {sheetTexts.json}
          </a>
        </div>
        <footer>
          <button className="btn" type="button" popoverTarget={id} popoverTargetAction="hide">
            {sheetTexts.close}
          </button>
        </footer>
      </dialog>
    </>
  );
}

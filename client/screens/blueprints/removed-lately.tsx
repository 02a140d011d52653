import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { fill } from "#client/ui/fill.tsx";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { say } from "#src/http/contract.ts";
import { REMOVAL_KEPT_HOURS } from "#src/show/blueprints/contract.ts";
import type { RemovalView } from "#src/show/blueprints/schemas.ts";

/** Brings back what was removed. A removed blueprint has no page, but its address still takes the form. */
export function UndoButton({ removal, className = "btn sm" }: { removal: RemovalView; className?: string }) {
  const { id, name, blueprintId } = removal;
  return (
    <PostForm
      className="undo"
      action={name === null ? `/blueprints/${blueprintId}/edit` : `/blueprints/${blueprintId}`}
      fields={{ removal: id }}
    >
      <Submit intent="undo" className={className}>
        <Icon name="undo" size="s" />
        {words.undo}
        <span className="vh">: {textOf(removal)}</span>
      </Submit>
    </PostForm>
  );
}

export function RemovedNotice({ text, removal }: { text: string; removal: RemovalView | undefined }) {
  return (
    <div className="row wrap removed-notice">
      <Note tone="ok">{text}</Note>
      {removal === undefined ? null : <UndoButton removal={removal} className="btn" />}
    </div>
  );
}

export function RemovedLately({ removals }: { removals: readonly RemovalView[] }) {
  if (removals.length === 0) return null;
  return (
    <details className="panel more removed-lately">
      <summary>Removed lately</summary>
      <ul className="list">
        {removals.map((removal) => (
          <li key={removal.id}>
            <span className="grow">
              {textOf(removal)}
              <span className="tiny ink2 block">
                {fill("{at} by {name}", { at: <Moment at={removal.at} />, name: removal.by })}
              </span>
            </span>
            <UndoButton removal={removal} />
          </li>
        ))}
      </ul>
      <p className="small ink2 body">{`For ${countOf(REMOVAL_KEPT_HOURS, "hour")} they can be brought back.`}</p>
    </details>
  );
}

function textOf({ name, titles }: RemovalView): string {
  if (name !== null) return say`${name} (${titles.length})`;
  const [first = ""] = titles;
  return titles.length === 1 ? first : say`${first} + ${titles.length - 1}`;
}

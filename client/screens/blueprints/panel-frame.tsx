import type { ReactNode } from "react";
import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { useEditor } from "./editor-context.ts";
import { panelLink } from "./panel.ts";

type PanelFrameProps = {
  title: string;
  /** A hidden panel keeps what was typed in its form. */
  shown: boolean;
  /** Beside the title. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A panel beside the list of events; on a phone it replaces the list. */
export function PanelFrame({ title, shown, actions, children }: PanelFrameProps) {
  const { panel } = useEditor();
  return (
    <section className="panel pad stack editor-panel" aria-label={title} hidden={!shown}>
      <header className="row">
        <h2 tabIndex={-1}>{title}</h2>
        <span className="row push">
          {actions}
          {panel === "" ? null : (
            <Link className="btn sm" {...panelLink("")}>
              <Icon name="cross" size="s" />
              {words.close}
            </Link>
          )}
        </span>
      </header>
      {children}
    </section>
  );
}

/** The result of the panel's form: the refusal or the notice. */
export function Outcome({ panel, changed }: { panel: string; changed: boolean }) {
  const { refused, notice, panel: open } = useEditor();
  if (refused !== undefined)
    return refused.panel === panel ? <Note tone="bad">{refused.refusal}</Note> : null;
  return notice !== null && open === panel && !changed ? <Note tone="ok">{notice.text}</Note> : null;
}

import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { newFields } from "#client/blueprints/event-fields.ts";
import { Icon } from "#client/ui/icon.tsx";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import type { EditBlueprintAnswer } from "#src/show/blueprints/schemas.ts";
import { BlueprintPanel } from "./blueprint-panel.tsx";
import type { EditRefused } from "./change-blueprint.ts";
import { type Editor, EditorContext, useEditor } from "./editor-context.ts";
import { EventPanel } from "./event-panel.tsx";
import { EventsEditor } from "./events-editor.tsx";
import { noticeIn } from "./notices.ts";
import { panelIn, panelLink } from "./panel.ts";
import { PastePanel } from "./paste-panel.tsx";
import { useDrafts } from "./use-drafts.ts";
import { type OrderState, useOrder } from "./use-order.ts";

/**
 * Edits a blueprint: its events in their order, and a panel beside them with a form. The open panel is in the address
 * (`?panel=`), so that Back works, and browsers without JavaScript too.
 */
export function EditBlueprintScreen() {
  const { blueprint } = useLoaderData<EditBlueprintAnswer>();
  return <BlueprintEditor key={blueprint.id} />;
}

function BlueprintEditor() {
  const { editor, order } = useEditing();
  const [settingsChanged, setSettingsChanged] = useState(false);
  const [linesTyped, setLinesTyped] = useState(false);
  const { blueprint, drafts, panel } = editor;
  usePanelFocus(panel);
  return (
    <EditorContext value={editor}>
      <PageLayout title={blueprint.name} actions={<Actions />}>
        <PageNotice />
        <div className="editor" data-panel={panel}>
          <EventsEditor order={order} />
          <aside>
            <BlueprintPanel onChanged={setSettingsChanged} />
            <EventPanel />
            <PastePanel onChanged={setLinesTyped} />
          </aside>
        </div>
        <LeaveGuard when={drafts.size > 0 || settingsChanged || linesTyped || order.unsaved} />
      </PageLayout>
    </EditorContext>
  );
}

type Order = { move: (from: number, to: number) => void; state: OrderState; unsaved: boolean };

function useEditing(): { editor: Editor; order: Order } {
  const { blueprint, options } = useLoaderData<EditBlueprintAnswer>();
  const refused = useActionData<EditRefused>();
  const [search] = useSearchParams();
  const panel = panelIn(search);
  const notice = refused === undefined ? noticeIn(search) : null;
  const { events, ...order } = useOrder(blueprint.blueprintEvents);
  const blank = useMemo(() => newFields(options, events), [options, events]);
  const drafts = useDrafts(events, { savedPanel: notice === null ? null : panel, blank });
  // After a conflict the form is based on the newer version that the refusal has brought.
  const refusedVersion = refused?.panel === panel ? refused.version : "";
  const versionOf = (of: string) =>
    of === panel && refusedVersion !== "" ? refusedVersion : drafts.versionOf(of);
  return { editor: { blueprint, options, events, panel, refused, notice, ...drafts, versionOf }, order };
}

function Actions() {
  const { blueprint } = useEditor();
  return (
    <div className="row wrap editor-actions">
      <Link className="btn sm ghost only-narrow" {...panelLink("blueprint")}>
        {texts.nameAndSettings}
      </Link>
      <Link className="btn sm ghost" {...panelLink("paste")}>
        {texts.pasteInBulk}
      </Link>
      <Link className="btn sm ghost" {...panelLink("new")}>
        <Icon name="plus" size="s" />
        {texts.newAction}
      </Link>
      <Link className="btn sm ghost" to={`/blueprints/${blueprint.id}/dry_run`}>
        {texts.dryRun}
      </Link>
      <Link className="btn sm primary" to={`/blueprints/${blueprint.id}#generate`}>
        {texts.generateSession}
      </Link>
    </div>
  );
}

/** The refusal or the notice of a form that belongs to no panel. */
function PageNotice() {
  const { notice, panel, refused } = useEditor();
  if (refused?.panel === "" && refused.refusal !== "") return <Note tone="bad">{refused.refusal}</Note>;
  return notice !== null && panel === "" ? <Note tone="ok">{notice.text}</Note> : null;
}

/** Moves the focus to the title of an opened panel, and back to the event's row when it is closed. */
function usePanelFocus(panel: string): void {
  const previous = useRef(panel);
  useEffect(() => {
    const closed = previous.current;
    if (closed === panel) return;
    previous.current = panel;
    const target =
      panel === "" ? `#event-${CSS.escape(closed)} .question a` : ".editor-panel:not([hidden]) h2";
    document.querySelector<HTMLElement>(target)?.focus();
  }, [panel]);
}

import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useActionData, useLoaderData, useLocation, useSearchParams } from "react-router";
import * as texts from "#client/blueprints/editor-texts.ts";
import { newFields } from "#client/blueprints/event-fields.ts";
import type { EditedBlueprint } from "#client/blueprints/load-blueprint.ts";
import { Icon } from "#client/ui/icon.tsx";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { BlueprintPanel } from "./blueprint-panel.tsx";
import type { EditRefused } from "./change-blueprint.ts";
import { type Editor, EditorContext, useEditor } from "./editor-context.ts";
import { EventPanel } from "./event-panel.tsx";
import { EventsEditor } from "./events-editor.tsx";
import { GenerateSession } from "./generate-session.tsx";
import { noticeIn } from "./notices.ts";
import { panelIn, panelLink } from "./panel.ts";
import { PastePanel } from "./paste-panel.tsx";
import { RemovedNotice } from "./removed-lately.tsx";
import { SeveralPanel } from "./several-panel.tsx";
import { useChosen } from "./use-chosen.ts";
import { useDrafts } from "./use-drafts.ts";
import { useOrder } from "./use-order.ts";

/**
 * Edits a blueprint: its events in their order, and a panel beside them with a form. The open panel is in the address
 * (`?panel=`), so that Back works, and browsers without JavaScript too.
 */
export function EditBlueprintScreen() {
  const { blueprint } = useLoaderData<EditedBlueprint>();
  return <BlueprintEditor key={blueprint.id} />;
}

function BlueprintEditor() {
  const { editor, order } = useEditing();
  const [settingsChanged, setSettingsChanged] = useState(false);
  const [linesTyped, setLinesTyped] = useState(false);
  const { blueprint, drafts, panel } = editor;
  usePanelFocus(panel);
  useNoticeFocus(editor.notice);
  return (
    <EditorContext value={editor}>
      <PageLayout title={blueprint.name} actions={<Actions />}>
        <PageNotice />
        <div className="editor" data-panel={panel}>
          <EventsEditor order={order} />
          <aside>
            <BlueprintPanel onChanged={setSettingsChanged} />
            <EventPanel />
            <SeveralPanel />
            <PastePanel onChanged={setLinesTyped} />
          </aside>
        </div>
        <LeaveGuard when={drafts.size > 0 || settingsChanged || linesTyped || order.unsaved} />
      </PageLayout>
    </EditorContext>
  );
}

type Order = Omit<ReturnType<typeof useOrder>, "events">;

function useEditing(): { editor: Editor; order: Order } {
  const { blueprint, options, removals } = useLoaderData<EditedBlueprint>();
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
  const choice = useChosen(events, search);
  const page = { blueprint, options, removals, events, panel, refused, notice };
  return { editor: { ...page, ...choice, ...drafts, versionOf }, order };
}

function Actions() {
  const { blueprint, events } = useEditor();
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
      <GenerateSession
        blueprint={{ ...blueprint, blueprintEvents: [...events] }}
        className="btn sm primary"
      />
    </div>
  );
}

/** The refusal or the notice of a form that belongs to no panel. */
function PageNotice() {
  const { notice, panel, refused, removals } = useEditor();
  if (refused?.panel === "" && refused.refusal !== "") return <Note tone="bad">{refused.refusal}</Note>;
  if (notice === null || panel !== "") return null;
  if (notice.name === "removed") return <RemovedNotice text={notice.text} removal={removals[0]} />;
  return <Note tone="ok">{notice.text}</Note>;
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

/** The row or the button that had the focus is gone after a removal: its undo has it then. */
function useNoticeFocus(notice: Editor["notice"]): void {
  const { key } = useLocation();
  const isRemoval = notice?.name === "removed";
  useEffect(() => {
    if (isRemoval) document.querySelector<HTMLElement>(".removed-notice button")?.focus();
  }, [key, isRemoval]);
}

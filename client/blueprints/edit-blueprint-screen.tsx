import { useMemo, useState } from "react";
import { Link, useActionData, useLoaderData, useSearchParams } from "react-router";
import type { EditBlueprintAnswer } from "#src/blueprints/schemas.ts";
import { Icon } from "../ui/icon.tsx";
import { LeaveGuard } from "../ui/leave-guard.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { BlueprintPanel } from "./blueprint-panel.tsx";
import type { EditRefused } from "./change-blueprint.ts";
import { type Editor, EditorContext, useEditor } from "./editor-context.ts";
import { fieldsOf } from "./event-fields.ts";
import { EventPanel } from "./event-panel.tsx";
import { EventsEditor } from "./events-editor.tsx";
import { panelIn, panelLink } from "./panel.ts";
import { PastePanel } from "./paste-panel.tsx";
import { saidIn } from "./said.ts";
import { useDrafts } from "./use-drafts.ts";
import { type OrderState, useOrder } from "./use-order.ts";
import { usePanelFocus } from "./use-panel-focus.ts";

/** Where a blueprint is written: its events in their order, and beside them a form for one of them, or for many. */
export function EditBlueprintScreen() {
  const { blueprint } = useLoaderData<EditBlueprintAnswer>();
  return <BlueprintEditor key={blueprint.id} />;
}

function BlueprintEditor() {
  const { editor, order } = useEditing();
  const [settingsChanged, tellSettings] = useState(false);
  const [linesTyped, tellLines] = useState(false);
  const { blueprint, drafts, panel } = editor;
  usePanelFocus(panel);
  return (
    <EditorContext value={editor}>
      <PageLayout title={blueprint.name} actions={<Actions />}>
        <WhatWasSaid />
        <div className="editor" data-panel={panel}>
          <EventsEditor order={order} />
          <aside>
            <BlueprintPanel tellChanged={tellSettings} />
            <EventPanel />
            <PastePanel tellChanged={tellLines} />
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
  const said = refused === undefined ? saidIn(search) : null;
  const blank = useMemo(() => fieldsOf(options.blueprintEvent), [options]);
  const { events, ...order } = useOrder(blueprint.blueprintEvents);
  const drafts = useDrafts(events, { savedPanel: said === null ? null : panel, blank });
  // Whoever was told of a newer version bases the form on that one.
  const told = refused?.panel === panel ? refused.version : "";
  const versionOf = (of: string) => (of === panel && told !== "" ? told : drafts.versionOf(of));
  return { editor: { blueprint, options, events, panel, refused, said, ...drafts, versionOf }, order };
}

function Actions() {
  const { blueprint } = useEditor();
  return (
    <div className="row wrap editor-actions">
      <Link className="btn sm ghost only-narrow" {...panelLink("blueprint")}>
        Name and settings
      </Link>
      <Link className="btn sm ghost" {...panelLink("paste")}>
        Paste in bulk
      </Link>
      <Link className="btn sm ghost" {...panelLink("new")}>
        <Icon name="plus" size="s" />
        New Action
      </Link>
      <Link className="btn sm primary" to={`/blueprints/${blueprint.id}#generate`}>
        Generate session
      </Link>
    </div>
  );
}

/** What belongs to no panel that is open. */
function WhatWasSaid() {
  const { said, panel, refused } = useEditor();
  if (refused?.panel === "" && refused.refusal !== "") return <Note tone="bad">{refused.refusal}</Note>;
  return said !== null && panel === "" ? <Note tone="ok">{said.text}</Note> : null;
}

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link, useActionData, useLoaderData, useLocation, useSearchParams } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import {
  areSame,
  type EventFields,
  fieldsOf as eventFieldsOf,
  newFields,
} from "#client/blueprints/event-fields.ts";
import type { EditedBlueprint } from "#client/blueprints/load-blueprint.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { Field } from "#client/ui/field.tsx";
import { VERSION_FIELD } from "#client/ui/forms/base-version.ts";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { LeaveGuard } from "#client/ui/leave-guard.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useChanged } from "#client/ui/use-changed.ts";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { startModes } from "#db/lists/events.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";
import { startModeLabel } from "#src/show/events/contract.ts";
import { fieldsOf } from "./blueprint-fields.ts";
import { BlueprintForm } from "./blueprint-form.tsx";
import type { EditRefused } from "./change-blueprint.ts";
import { type Editor, EditorContext, useEditor } from "./editor-context.ts";
import { EventPanel } from "./event-panel.tsx";
import { EventsEditor } from "./events-editor.tsx";
import { GenerateSession } from "./generate-session.tsx";
import { noticeIn } from "./notices.ts";
import { Outcome, PanelFrame } from "./panel-frame.tsx";
import { eventIn, panelIn, panelLink } from "./panel.ts";
import { PastePanel } from "./paste-panel.tsx";
import { RemovedNotice } from "./removed-lately.tsx";
import { useOrder } from "./use-order.ts";

const several = (count: number) => (count === 1 ? "1 action" : `${count} actions together`);

const seconds = [
  { name: "durationSeconds", label: moreTexts.openForSeconds },
  { name: "offsetSeconds", label: words.waitSeconds },
  { name: "resolveWithinSeconds", label: moreTexts.resultWithinSeconds },
] as const;

const ALL = "all";

const NONE: Drafts = new Map();

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
        <div className="split editor" data-panel={panel}>
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

function useEditing(): { editor: Editor; order: Omit<ReturnType<typeof useOrder>, "events"> } {
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
        Name and settings
      </Link>
      <Link className="btn sm ghost" {...panelLink("paste")}>
        {words.pasteInBulk}
      </Link>
      <Link className="btn sm ghost" {...panelLink("new")}>
        <Icon name="plus" size="s" />
        {words.newAction}
      </Link>
      <Link className="btn sm ghost" to={`/blueprints/${blueprint.id}/dry_run`}>
        {words.dryRun}
      </Link>
      <GenerateSession
        blueprint={{ ...blueprint, blueprintEvents: [...events] }}
        className="btn sm primary"
      />
    </div>
  );
}

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

/** The chosen events. The address names them where a form has just brought them along (`?chosen=3`, `?chosen=all`). */
function useChosen(events: readonly BlueprintEventView[], search: URLSearchParams) {
  const named = search.getAll("chosen").join(" ");
  const [chosen, setChosen] = useState(() => namedIn(events, named));
  const [previous, setPrevious] = useState(named);
  if (named !== previous) {
    setPrevious(named);
    if (named !== "") setChosen(namedIn(events, named));
  }
  const choose = useCallback((ids: ReadonlySet<number>) => setChosen(ids), []);
  // One that was removed is not chosen any more.
  const present = new Set(events.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));
  return { chosen: present, choose };
}

function namedIn(events: readonly BlueprintEventView[], named: string): ReadonlySet<number> {
  if (named === ALL) return new Set(events.map(({ id }) => id));
  return new Set(named === "" ? [] : named.split(" ").map(Number));
}

/** Edits the blueprint itself: its name, and the settings of its sessions. */
function BlueprintPanel({ onChanged }: { onChanged: (changed: boolean) => void }) {
  const { blueprint, panel } = useEditor();
  const { name, description, defaults } = blueprint;
  return (
    <PanelFrame title={words.blueprint} shown={panel === "" || panel === "blueprint"}>
      {/* The key resets the form when the blueprint is saved, not when its events are. */}
      <Settings key={JSON.stringify([name, description, defaults])} onChanged={onChanged} />
    </PanelFrame>
  );
}

function Settings({ onChanged }: { onChanged: (changed: boolean) => void }) {
  const { blueprint, refused } = useEditor();
  const { changed, form, onInput } = useChanged();
  const ownRefusal = refused?.panel === "blueprint" ? refused : undefined;
  const holder = useErrorFocus<HTMLDivElement>(ownRefusal);
  useEffect(() => {
    onChanged(changed);
    return () => onChanged(false);
  }, [changed, onChanged]);
  return (
    <div className="stack" ref={holder}>
      <Outcome panel="blueprint" changed={changed} />
      <BlueprintForm
        className="stack"
        fields={ownRefusal?.blueprint ?? fieldsOf(blueprint)}
        errors={ownRefusal?.errors ?? {}}
        form={form}
        onInput={onInput}
      >
        <input type="hidden" name="panel" value="blueprint" />
        <input type="hidden" name={VERSION_FIELD} value={ownRefusal?.version ?? blueprint.version} />
        <div className="row wrap">
          <Submit intent="save_blueprint">{words.save}</Submit>
          {changed ? <span className="unsaved small">{words.notSaved}</span> : null}
        </div>
      </BlueprintForm>
    </div>
  );
}

/** Changes several events at once: what is filled in. */
function SeveralPanel() {
  const { panel, chosen } = useEditor();
  if (panel !== "several") return null;
  return (
    <PanelFrame title={several(chosen.size)} shown>
      {chosen.size === 0 ? <NoneChosen /> : <SeveralForm />}
    </PanelFrame>
  );
}

function NoneChosen() {
  return (
    <>
      <p className="small ink2">Choose actions in the list first, by the boxes beside their numbers.</p>
      <Link className="btn" {...panelLink("")}>
        {words.backToList}
      </Link>
    </>
  );
}

function SeveralForm() {
  const { chosen, refused } = useEditor();
  const own = refused?.panel === "several" ? refused : undefined;
  return (
    <PostForm className="stack" fields={{ panel: "several" }} refused={own}>
      <Outcome panel="several" changed={false} />
      <p className="small ink2">What you leave empty stays as it is in each of them.</p>
      {[...chosen].map((id) => (
        <input key={id} type="hidden" name="chosen" value={id} />
      ))}
      <SeveralFields refused={own} />
      <div className="row save-row">
        <Submit intent="save_several">{`Save for ${countOf(chosen.size, "action")}`}</Submit>
      </div>
    </PostForm>
  );
}

function SeveralFields({ refused: own }: { refused: EditRefused | undefined }) {
  const typed = (name: keyof EditRefused["fields"]) => own?.fields[name] ?? "";
  // The API names the event of an error; here it is the field that counts.
  const errorsOf = (name: string) =>
    Object.entries(own?.errors ?? {}).find(([field]) => field === name || field.endsWith(`.${name}`))?.[1];
  const unchanged = { placeholder: "Unchanged", optional: true } as const;
  return (
    <>
      <Choice
        label={words.starts}
        name="startMode"
        value={typed("startMode")}
        options={[
          { value: "", label: "Unchanged" },
          ...startModes.map((value) => ({ value, label: startModeLabel(value) })),
        ]}
        errors={errorsOf("startMode")}
      />
      {seconds.map(({ name, label }) => (
        <Field
          key={name}
          {...unchanged}
          label={label}
          name={name}
          inputMode="numeric"
          value={typed(name)}
          errors={errorsOf(name)}
        />
      ))}
      <div className="pair tight">
        <Field
          {...unchanged}
          label={words.leastWagerDollars}
          name="minWager"
          inputMode="decimal"
          value={typed("minWager")}
          errors={errorsOf("minWager")}
        />
        <Field
          {...unchanged}
          label={moreTexts.mostPerPlayer}
          name="maxWager"
          value={typed("maxWager")}
          hint={'Write "none" for no limit.'}
          errors={errorsOf("maxWager")}
        />
      </div>
    </>
  );
}

type Drafts = ReadonlyMap<string, EventFields>;

/**
 * The unsaved changes in the forms of events, by panel. They are kept while other panels are open, and deleted once saved.
 * @param savedPanel the panel whose form was just saved; null if none was.
 * @param blank the values of a new event.
 */
function useDrafts(
  events: readonly BlueprintEventView[],
  { savedPanel, blank }: { savedPanel: string | null; blank: EventFields },
) {
  const [typed, setTyped] = useState(NONE);
  const [baseVersions, setBaseVersions] = useState<ReadonlyMap<string, string>>(new Map());
  const { key } = useLocation();
  const [previousKey, setPreviousKey] = useState(key);
  const discard = useCallback((panel: string) => {
    setTyped((before) => without(before, panel));
    setBaseVersions((before) => without(before, panel));
  }, []);
  if (key !== previousKey) {
    setPreviousKey(key);
    if (savedPanel !== null) discard(savedPanel);
  }
  const type = useCallback(
    (panel: string, fields: EventFields) => {
      setTyped((before) => new Map(before).set(panel, fields));
      setBaseVersions((before) =>
        before.has(panel) ? before : new Map(before).set(panel, loadedVersion(panel, events)),
      );
    },
    [events],
  );
  const versionOf = (panel: string) => baseVersions.get(panel) ?? loadedVersion(panel, events);
  const drafts = useMemo(() => changedIn(typed, events, blank), [typed, events, blank]);
  return { typed, drafts, type, discard, versionOf };
}

/** Recorded when typing starts: data that is loaded later is not what the form is based on. */
function loadedVersion(panel: string, events: readonly BlueprintEventView[]): string {
  return String(eventIn(panel, events)?.version ?? "");
}

function without<Value>(map: ReadonlyMap<string, Value>, panel: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([other]) => other !== panel));
}

/** The entries that differ from what is saved. */
function changedIn(typed: Drafts, events: readonly BlueprintEventView[], blank: EventFields): Drafts {
  const changed = [...typed].filter(([panel, fields]) => {
    if (panel === "new") return !areSame(fields, blank);
    const event = eventIn(panel, events);
    return event !== undefined && !areSame(fields, eventFieldsOf(event));
  });
  return changed.length === 0 ? NONE : new Map(changed);
}

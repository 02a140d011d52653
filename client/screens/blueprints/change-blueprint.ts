import { data } from "react-router";
import type { ActionArgs } from "#client/base/page/handle.ts";
import {
  bodyOf,
  type EventFields,
  fieldsIn as eventFieldsIn,
  fieldsOf as eventFieldsOf,
} from "#client/blueprints/event-fields.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import { pictureIn, copiedPicture } from "#client/blueprints/picture-fields.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { ifMatchHeaders, isStale, staleRefusal } from "#client/ui/forms/base-version.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import {
  type BlueprintFields,
  blueprintIn,
  fieldsIn as blueprintFieldsIn,
  fieldsOf as blueprintFieldsOf,
  textsOf,
} from "./blueprint-fields.ts";
import { type Change, type Done, severalChanges } from "./change-several.ts";
import { refusedInEditor } from "./refused-in-editor.ts";

/** Why one of the editor's forms was refused (empty: it was only checked), and what was typed. */
export type EditRefused = Refused & {
  /** The panel with the form; see panel.ts. */
  panel: string;
  fields: EventFields;
  blueprint: BlueprintFields;
  lines: string;
  /** What was typed about the picture of an event. */
  pictureAlt: string;
  /** The version that the form is based on, of the blueprint or of its event. */
  version: string;
};

const EVENTS = "/api/v1/blueprint_events";

/** Makes the change of the editor's form by its `intent`, and shows the editor again. */
export async function changeBlueprint({ api, params, request }: ActionArgs) {
  const form = await request.formData();
  const id = params["id"] ?? "";
  const { intent } = readForm(form, { intent: "text" });
  // Without JavaScript this request shows the preview of the pasted lines.
  if (intent === "check_lines") return data<EditRefused>({ refusal: "", errors: {}, ...typedIn(form) });
  const change = { api, id, form };
  try {
    const { notice, panel, chosen = [] } = await (changes[intent] ?? saveBlueprint)(change);
    const search = new URLSearchParams(panel === "" ? {} : { panel });
    if (notice !== null) search.set("said", notice);
    for (const chosenId of chosen) search.append("chosen", chosenId);
    return seeOther(`/blueprints/${encodeURIComponent(id)}/edit?${search.toString()}`);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    const newer = isStale(error) ? await readNewer(change) : {};
    return data<EditRefused>({ ...refused, ...typedIn(form), ...newer }, { status });
  }
}

/** Reads the version that another user has saved; the form is based on it from now on. */
async function readNewer({ api, id, form }: Change): Promise<Partial<EditRefused>> {
  const panel = panelOf(form);
  if (panel === "blueprint") {
    const { blueprint } = await api.get(blueprintPath(id));
    const stale = staleRefusal(textsOf(blueprintFieldsIn(form)), textsOf(blueprintFieldsOf(blueprint)));
    return { ...stale, version: String(blueprint.version) };
  }
  const { blueprintEvent } = await api.get(eventPath(eventIdIn(panel)));
  if (panel !== eventIdIn(panel)) return { version: String(blueprintEvent.version) };
  const stale = staleRefusal(eventFieldsIn(form), eventFieldsOf(blueprintEvent));
  return { ...stale, version: String(blueprintEvent.version) };
}

function typedIn(form: FormData): Omit<EditRefused, keyof Refused> {
  return {
    ...readForm(form, { panel: "text", lines: "text", pictureAlt: "text", version: "text" }),
    fields: eventFieldsIn(form),
    blueprint: blueprintFieldsIn(form),
  };
}

const changes: Record<string, (change: Change) => Promise<Done>> = {
  save_event: saveEvent,
  save_picture: savePicture,
  add_event: addEvent,
  remove_event: removeEvent,
  move_event: moveEvent,
  paste: pasteLines,
  duplicate_event: duplicateEvent,
  ...severalChanges,
};

async function saveBlueprint({ api, id, form }: Change): Promise<Done> {
  await api.patch(blueprintPath(id), { blueprint: blueprintIn(form) }, ifMatchHeaders(form));
  return { notice: "saved", panel: panelOf(form) };
}

async function saveEvent({ api, form }: Change): Promise<Done> {
  const panel = panelOf(form);
  await api.patch(eventPath(panel), { blueprintEvent: bodyOf(eventFieldsIn(form)) }, ifMatchHeaders(form));
  return { notice: "saved", panel };
}

/** The form of a picture is beside that of its event: "picture 12". */
const eventIdIn = (panel: string) => panel.replace(/^picture /, "");

async function savePicture({ api, form }: Change): Promise<Done> {
  const panel = eventIdIn(panelOf(form));
  await api.patch(eventPath(panel), { blueprintEvent: pictureIn(form) }, ifMatchHeaders(form));
  return { notice: "saved", panel };
}

async function addEvent({ api, id, form }: Change): Promise<Done> {
  const blueprintEvent = { blueprintId: Number(id), ...bodyOf(eventFieldsIn(form)) };
  await api.post(EVENTS, { blueprintEvent });
  return { notice: "added", panel: "new" };
}

async function removeEvent({ api, form }: Change): Promise<Done> {
  await api.delete(eventPath(panelOf(form)));
  return { notice: "removed", panel: "" };
}

/** The copy follows its original. */
async function duplicateEvent({ api, form }: Change): Promise<Done> {
  const { blueprintEvent } = await api.get(eventPath(panelOf(form)));
  const copy = {
    blueprintId: blueprintEvent.blueprintId,
    ...bodyOf(eventFieldsOf(blueprintEvent)),
    ...copiedPicture(blueprintEvent.picture),
  };
  const made = await api.post(EVENTS, { blueprintEvent: { ...copy, position: blueprintEvent.position + 1 } });
  return { notice: "duplicated", panel: String(made.blueprintEvent.id) };
}

/** The field `move` has the event's id and its new position: "12:3". */
async function moveEvent({ api, form }: Change): Promise<Done> {
  const { move } = readForm(form, { move: "text" });
  const [eventId = "", position = ""] = move.split(":");
  await api.patch(eventPath(eventId), { blueprintEvent: { position: Number(position) } });
  return { notice: "moved", panel: panelOf(form) };
}

async function pasteLines({ api, id, form }: Change): Promise<Done> {
  const { lines, rows } = readForm(form, { lines: "text", rows: "text" });
  // Rows are the lines with what was corrected in the preview.
  const plan = { blueprintId: Number(id), text: rows === "" ? lines : rows };
  await api.post(`${EVENTS}/import`, { plan });
  return { notice: "pasted", panel: "" };
}

function panelOf(form: FormData): string {
  return readForm(form, { panel: "text" }).panel;
}

function eventPath(id: string): `/api/v1/blueprint_events/${string}` {
  return `${EVENTS}/${encodeURIComponent(id)}`;
}

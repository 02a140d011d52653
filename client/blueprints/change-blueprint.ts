import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { basedOn, isStale, refusedAsStale, VERSION_FIELD } from "../base-version.ts";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import type { Refused } from "../refused.ts";
import {
  type BlueprintFields,
  blueprintIn,
  fieldsIn as blueprintFieldsIn,
  fieldsOf as blueprintFieldsOf,
  wordsOf,
} from "./blueprint-fields.ts";
import {
  bodyOf,
  type EventFields,
  fieldsIn as eventFieldsIn,
  fieldsOf as eventFieldsOf,
} from "./event-fields.ts";
import { blueprintPath } from "./load-blueprint.ts";
import { bodyOfLines } from "./parse-lines.ts";
import { refusedInEditor } from "./refused-in-editor.ts";
import type { Said } from "./said.ts";

/** Why one of the editor's forms did not stand (empty: it was only looked at), and what it held. */
export type EditRefused = Refused & {
  /** The panel whose form it was; see panel.ts. */
  panel: string;
  fields: EventFields;
  blueprint: BlueprintFields;
  /** What was pasted. */
  lines: string;
  /** The version that the form is based on, of the blueprint or of its event. */
  version: string;
};

type Change = { api: Api; id: string; form: FormData };
/** What is said afterwards, beside which panel. */
type Done = { said: Said; panel: string };

const SEE_OTHER = 303;
const EVENTS = "/api/v1/blueprint_events";

/** Does what the editor's form asks for by its `intent`, and shows the editor again. */
export async function changeBlueprint({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const id = params["id"] ?? "";
  const intent = textIn(form, "intent");
  // Without script the page is what shows what was understood.
  if (intent === "check_lines") return data<EditRefused>({ refusal: "", errors: {}, ...heldBy(form) });
  const asked = { api: context.get(apiContext), id, form };
  try {
    const { said, panel } = await (changes[intent] ?? saveBlueprint)(asked);
    const search = new URLSearchParams({ ...(panel === "" ? {} : { panel }), said });
    return redirect(`/blueprints/${encodeURIComponent(id)}/edit?${search.toString()}`, SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    const newer = isStale(error) ? await readNewer(asked) : {};
    return data<EditRefused>({ ...refused, ...heldBy(form), ...newer }, { status });
  }
}

/** What somebody else has made of it, and the version that the form is based on from now on. */
async function readNewer({ api, id, form }: Change): Promise<Partial<EditRefused>> {
  const panel = textIn(form, "panel");
  if (panel === "blueprint") {
    const { blueprint } = await api.get(blueprintPath(id));
    const stale = refusedAsStale(wordsOf(blueprintFieldsIn(form)), wordsOf(blueprintFieldsOf(blueprint)));
    return { ...stale, version: String(blueprint.version) };
  }
  const { blueprintEvent } = await api.get(eventPath(panel));
  const stale = refusedAsStale(eventFieldsIn(form), eventFieldsOf(blueprintEvent));
  return { ...stale, version: String(blueprintEvent.version) };
}

function heldBy(form: FormData): Omit<EditRefused, keyof Refused> {
  return {
    panel: textIn(form, "panel"),
    fields: eventFieldsIn(form),
    blueprint: blueprintFieldsIn(form),
    lines: textIn(form, "lines"),
    version: textIn(form, VERSION_FIELD),
  };
}

const changes: Record<string, (change: Change) => Promise<Done>> = {
  save_event: saveEvent,
  add_event: addEvent,
  remove_event: removeEvent,
  move_event: moveEvent,
  paste: pasteLines,
};

async function saveBlueprint({ api, id, form }: Change): Promise<Done> {
  await api.patch(blueprintPath(id), { blueprint: blueprintIn(form) }, basedOn(form));
  return { said: "saved", panel: textIn(form, "panel") };
}

async function saveEvent({ api, form }: Change): Promise<Done> {
  const panel = textIn(form, "panel");
  await api.patch(eventPath(panel), { blueprintEvent: bodyOf(eventFieldsIn(form)) }, basedOn(form));
  return { said: "saved", panel };
}

async function addEvent({ api, id, form }: Change): Promise<Done> {
  const blueprintEvent = { blueprintId: Number(id), ...bodyOf(eventFieldsIn(form)) };
  await api.post(EVENTS, { blueprintEvent });
  return { said: "added", panel: "new" };
}

async function removeEvent({ api, form }: Change): Promise<Done> {
  await api.delete(eventPath(textIn(form, "panel")));
  return { said: "removed", panel: "" };
}

/** The field `move` says which event goes where: "12:3". */
async function moveEvent({ api, form }: Change): Promise<Done> {
  const [eventId = "", position = ""] = textIn(form, "move").split(":");
  await api.patch(eventPath(eventId), { blueprintEvent: { position: Number(position) } });
  return { said: "moved", panel: textIn(form, "panel") };
}

async function pasteLines({ api, id, form }: Change): Promise<Done> {
  const blueprintEvents = bodyOfLines(textIn(form, "lines"));
  await api.post(`${EVENTS}/batch_create`, { blueprintId: Number(id), blueprintEvents });
  return { said: "pasted", panel: "" };
}

function eventPath(id: string): `/api/v1/blueprint_events/${string}` {
  return `${EVENTS}/${encodeURIComponent(id)}`;
}

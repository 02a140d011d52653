import type { Api } from "#client/base/api/api.ts";
import { numberOrText, bodyOf, fieldsOf } from "#client/blueprints/event-fields.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import { copiedPicture } from "#client/blueprints/picture-fields.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import { FormRefusal } from "#client/ui/forms/refused.ts";
import { checkDollars, refuseTyped } from "#client/ui/money/typed-dollars.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import type { Notice } from "./notices.ts";

/** A form of the editor of the blueprint `id`. */
export type Change = { api: Api; id: string; form: FormData };
/** The notice to show afterwards, the panel to open, and the events that stay chosen. */
export type Done = { notice: Notice | null; panel: string; chosen?: string[] };

const EVENTS = "/api/v1/blueprint_events";

/** The changes of several events at once, by the form's `intent`. */
export const severalChanges: Record<string, (change: Change) => Promise<Done>> = {
  // Without JavaScript the choice goes into the address.
  edit_several: ({ form }) => Promise.resolve({ notice: null, panel: "several", chosen: chosenIn(form) }),
  save_several: saveSeveral,
  move_up: (change) => moveSeveral(change, -1),
  move_down: (change) => moveSeveral(change, 1),
  duplicate_several: duplicateSeveral,
  remove_several: removeSeveral,
  undo,
};

const chosenIn = (form: FormData) => readForm(form, { chosen: "list" }).chosen;
const idsIn = (form: FormData) => chosenIn(form).map(Number);

const fields = {
  startMode: "text",
  durationSeconds: "text",
  offsetSeconds: "text",
  resolveWithinSeconds: "text",
  minWager: "text",
  maxWager: "text",
} as const;

async function saveSeveral({ api, id: blueprintId, form }: Change): Promise<Done> {
  const changes = changesIn(form);
  if (Object.keys(changes).length === 0)
    throw new FormRefusal("Nothing is filled in, so nothing would change.", {});
  const blueprintEvents = idsIn(form).map((id) => ({ id, ...changes }));
  await api.post(`${EVENTS}/batch_update`, { blueprintId: Number(blueprintId), blueprintEvents });
  return { notice: "several", panel: "several", chosen: chosenIn(form) };
}

function changesIn(form: FormData): Record<string, number | string | null> {
  const { startMode, minWager, maxWager, ...seconds } = readForm(form, fields, (name) => name);
  const changes: Record<string, number | string | null> = startMode === "" ? {} : { startMode };
  for (const [name, text] of Object.entries(seconds))
    if (text.trim() !== "") changes[name] = numberOrText(text);
  const unlimited = /^(none|no limit)$/i.test(maxWager.trim());
  if (unlimited) changes["maxWager"] = null;
  const wagers = { minWager, maxWager: unlimited ? "" : maxWager };
  for (const [name, text] of Object.entries(wagers)) {
    if (text.trim() === "") continue;
    const { dollars, errors } = checkDollars(name, text, { min: 0.01, max: blueprintLimits.wagerMax });
    if (dollars === null) throw refuseTyped(errors);
    changes[name] = dollars;
  }
  return changes;
}

/** Moves the chosen events together by one, as they stand. */
async function moveSeveral({ api, id, form }: Change, by: -1 | 1): Promise<Done> {
  const { blueprint } = await api.get(blueprintPath(id));
  const order = moveTogether(
    blueprint.blueprintEvents.map((event) => event.id),
    new Set(idsIn(form)),
    by,
  );
  const blueprintEvents = order.map((eventId, index) => ({ id: eventId, position: index + 1 }));
  await api.post(`${EVENTS}/batch_update_positions`, { blueprintEvents });
  return { notice: "moved", panel: "", chosen: chosenIn(form) };
}

/** The order after each chosen one has changed places with its neighbour; those at the end stay. */
export function moveTogether(ids: readonly number[], chosen: ReadonlySet<number>, by: -1 | 1): number[] {
  const order = by < 0 ? [...ids] : ids.toReversed();
  for (const [index, id] of order.entries()) {
    const before = order[index - 1];
    if (!chosen.has(id) || before === undefined || chosen.has(before)) continue;
    order[index - 1] = id;
    order[index] = before;
  }
  return by < 0 ? order : order.toReversed();
}

/** The copies follow the last chosen event, in the same order. */
async function duplicateSeveral({ api, id, form }: Change): Promise<Done> {
  const chosen = new Set(idsIn(form));
  const { blueprint } = await api.get(blueprintPath(id));
  const events = blueprint.blueprintEvents;
  const originals = events.filter((event) => chosen.has(event.id));
  const copies = originals.map((event) => ({ ...bodyOf(fieldsOf(event)), ...copiedPicture(event.picture) }));
  const added = await api.post(`${EVENTS}/batch_create`, {
    blueprintId: blueprint.id,
    blueprintEvents: copies,
  });
  const last = events.findLastIndex((event) => chosen.has(event.id)) + 1;
  const ids = added.blueprintEvents.map((event) => event.id);
  const order = [...ids.slice(0, last), ...ids.slice(events.length), ...ids.slice(last, events.length)];
  await api.post(`${EVENTS}/batch_update_positions`, {
    blueprintEvents: order.map((eventId, index) => ({ id: eventId, position: index + 1 })),
  });
  return { notice: "duplicated", panel: "", chosen: ids.slice(events.length).map(String) };
}

async function removeSeveral({ api, form }: Change): Promise<Done> {
  await api.post(`${EVENTS}/batch_destroy`, { ids: idsIn(form) });
  return { notice: "removed", panel: "" };
}

async function undo({ api, form }: Change): Promise<Done> {
  const { removal } = readForm(form, { removal: "text" });
  await api.post(`/api/v1/blueprint_removals/${encodeURIComponent(removal)}/restore`);
  return { notice: "restored", panel: "" };
}

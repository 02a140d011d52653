import { readForm } from "#client/ui/forms/read-form.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** Versions of events that the viewer's own acts have made, by event id: nobody else has changed them between the two. */
export type OwnVersions = Map<number, { from: number; to: number }>;

/** A form may still have the version before the viewer's own last acts: that is no change by somebody else. */
export function keepUpWith(own: OwnVersions, form: FormData): void {
  const { eventId, version } = readForm(form, { eventId: "number", version: "number" });
  const made = own.get(eventId ?? 0);
  if (version === undefined || made === undefined) return;
  if (version >= made.from && version < made.to) form.set("version", String(made.to));
}

/** An act that says which version it is based on was refused after any other change. Otherwise only its own step is known. */
export function rememberVersion(
  own: OwnVersions,
  form: FormData,
  { id, version: to }: Pick<EventView, "id" | "version">,
): void {
  const from = readForm(form, { version: "number" }).version ?? to - 1;
  const last = own.get(id);
  own.set(id, { from: last?.to === from ? last.from : from, to });
}

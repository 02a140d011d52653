import { notFound } from "#src/base/refusal.ts";

/** Reads a row id from a path. Refuses text that cannot be an id: 404. */
export function readId(text: string): number {
  const id = idIn(text);
  if (id === null) throw notFound();
  return id;
}

/** The row id that a text is: digits without a leading zero. Null for all other texts. */
export function idIn(text: string): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id !== 0 ? id : null;
}

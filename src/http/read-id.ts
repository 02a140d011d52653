import { notFound } from "#src/base/refusal.ts";

/** Reads a row id from a path. Refuses text that cannot be an id: 404. */
export function readId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw notFound();
  return id;
}

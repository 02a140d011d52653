import { notFound } from "#src/base/refusal.ts";

/** A row's number out of a path. What cannot be one is not found: 404. */
export function readId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw notFound();
  return id;
}

import type { World } from "./world.ts";

/** What somebody with the application's role does, and the check of the books that finds it; none: the database refuses it. */
export type Attack = { statements: readonly string[]; foundBy?: string };
/** By what they do. */
export type Attacks = Readonly<Record<string, Attack>>;

export const refused = (...statements: string[]): Attack => ({ statements });
export const found = (foundBy: string, ...statements: string[]): Attack => ({ statements, foundBy });

/** A statement with the ids of a world for their names: @ana is the id of ana. */
export const withIds = (statement: string, ids: World["ids"]): string =>
  Object.entries(ids).reduce(
    (text, [name, id]) => text.replaceAll(new RegExp(`@${name}\\b`, "g"), String(id)),
    statement,
  );

type Line = {
  action: string;
  type: string;
  subject: string;
  after?: Record<string, unknown>;
  session?: string;
};

/** An audit line in an admin's name, as the application would write it. */
export function line(actor: string, { action, type, subject, after = {}, session }: Line): string {
  return `INSERT INTO audit (actor_id, action, subject_type, subject_id, session_id, before, after)
    VALUES (${actor}, '${action}', '${type}', ${subject}, ${session ?? null}, '{}', '${JSON.stringify(after)}')`;
}

/** The check that compares audit lines with what was done. */
export const INVENTED = "audit lines of what was never done";

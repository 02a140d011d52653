import type { SessionRow } from "./with-session.ts";

/** The fields of a session that admins edit, as the audit log stores them. */
export function termsOf({ name, description, startsAt, settings }: SessionRow) {
  return { name, description, startsAt: startsAt?.toISOString() ?? null, settings };
}

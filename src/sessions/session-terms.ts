import type { SessionRow } from "./with-session.ts";

/** What an admin says of a session, as the audit log keeps it. */
export function termsOf({ name, description, startsAt, settings }: SessionRow) {
  return { name, description, startsAt: startsAt?.toISOString() ?? null, settings };
}

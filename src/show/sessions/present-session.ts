import * as v from "valibot";
import { sessionSettings, type SessionView } from "./schemas.ts";
import type { SessionRow } from "./with-session.ts";

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

/** The fields of a session that are not columns of its row. */
export type SessionCounts = Pick<
  SessionView,
  "eventsCount" | "registrationsCount" | "registered" | "playersOnline"
>;

/** The columns that players read. */
export type ShownSession = Pick<
  SessionRow,
  | "id"
  | "slug"
  | "name"
  | "description"
  | "state"
  | "active"
  | "rehearsal"
  | "blueprintId"
  | "settings"
  | "startsAt"
  | "startedAt"
  | "startLeadSeconds"
  | "pausedAt"
  | "stoppedAt"
  | "version"
>;

/** A session as players read it. */
export function presentSession(session: ShownSession, counts: SessionCounts): SessionView {
  return {
    id: session.id,
    slug: session.slug,
    name: session.name,
    description: session.description,
    state: session.state,
    active: session.active,
    rehearsal: session.rehearsal,
    startsAt: iso(session.startsAt),
    startedAt: iso(session.startedAt),
    startLeadSeconds: session.startLeadSeconds,
    pausedAt: iso(session.pausedAt),
    stoppedAt: iso(session.stoppedAt),
    blueprintId: session.blueprintId,
    ...counts,
    settings: v.parse(sessionSettings, session.settings),
    version: session.version,
  };
}

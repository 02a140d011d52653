import type { AuditSubject } from "#db/lists/audit.ts";
import { type SessionState } from "#db/lists/sessions.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { Transition, TransitionTable } from "#src/http/contract.ts";

export const sessionOrders = ["soonest"] as const;

export const sessionStateLabel = labelsOf<SessionState>({
  pending: "Pending",
  running: "Running",
  paused: "Paused",
  stopped: "Stopped",
});

/**
 * The transitions of a session; all others are refused. Rules beyond the table:
 * - `start` requires at least one event;
 * - `take_back_start` leads back to the lobby, while nobody has placed a call;
 * - `take_back_stop` is possible for STOP_UNDO_MS after the stop.
 */
export const sessionTransitions = {
  start: { from: ["pending"], to: "running", label: "Start" },
  pause: { from: ["running"], to: "paused", label: "Pause" },
  resume: { from: ["paused"], to: "running", label: "Resume" },
  stop: { from: ["running", "paused"], to: "stopped", label: "Stop" },
  take_back_start: { from: ["running", "paused"], to: "pending", label: "Back to the lobby" },
  take_back_stop: { from: ["stopped"], to: "running", label: "Undo stop" },
} as const satisfies TransitionTable<string, SessionState>;

/** Changes of the active flag, which takes players to the session. The state stays. */
type FlagChange = Pick<Transition<SessionState>, "from" | "label"> & { active: boolean };
export const sessionFlagChanges = {
  activate: { from: ["pending", "running", "paused"], active: true, label: "Activate" },
  deactivate: { from: ["pending", "running", "paused"], active: false, label: "Deactivate" },
} as const satisfies Record<string, FlagChange>;

export type SessionTransition = keyof typeof sessionTransitions;
export type SessionFlagChange = keyof typeof sessionFlagChanges;

/** The maximum of a setting in seconds: lead, settlement delay, slow mode. */
export const SETTING_SECONDS_MAX = 600;

export const SESSION_NAME_LENGTH_MAX = 80;
export const SESSION_DESCRIPTION_LENGTH_MAX = 500;

export const EVENTS_REORDERED_MAX = 1_000;

export const DISPLAY_NAME_LENGTH_MAX = 40;

/** The subjects of a session's audit log. Messages and users are those of its chat. */
export const sessionAuditSubjects = [
  "session",
  "event",
  "message",
  "user",
] as const satisfies readonly AuditSubject[];

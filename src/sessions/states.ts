import type { Transition, TransitionTable } from "#src/transition.ts";
import type { SessionState } from "./contract.ts";

/** What may become of a session; whatever is not listed is refused. `start` also needs at least one event. */
export const sessionTransitions = {
  start: { from: ["pending"], to: "running", label: "Start" },
  pause: { from: ["running"], to: "paused", label: "Pause" },
  resume: { from: ["paused"], to: "running", label: "Resume" },
  stop: { from: ["running", "paused"], to: "stopped", label: "Stop" },
} as const satisfies TransitionTable<string, SessionState>;

/** The flag that takes players to this session: it is given where it is not, and taken where it is; the state stays. */
type FlagChange = Pick<Transition<SessionState>, "from" | "label"> & { active: boolean };
export const sessionFlagChanges = {
  activate: { from: ["pending", "running", "paused"], active: true, label: "Activate" },
  deactivate: { from: ["pending", "running", "paused"], active: false, label: "Deactivate" },
} as const satisfies Record<string, FlagChange>;

export type SessionTransition = keyof typeof sessionTransitions;
export type SessionFlagChange = keyof typeof sessionFlagChanges;

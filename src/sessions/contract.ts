import * as v from "valibot";
import { listMeta, moment, rowId } from "#src/http/contract.ts";

export const sessionStates = ["pending", "running", "paused", "stopped"] as const;
export type SessionState = (typeof sessionStates)[number];
export const sessionStateLabels: Record<SessionState, string> = {
  pending: "Pending",
  running: "Running",
  paused: "Paused",
  stopped: "Stopped",
};

export const sessionSettings = v.object({
  leadSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600)), 10),
  settlementDelaySeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600)), 0),
  /** Whoever runs the show may also play in it. */
  smallRoom: v.optional(v.boolean(), false),
});
export type SessionSettings = v.InferOutput<typeof sessionSettings>;

export const sessionShape = v.object({
  id: rowId,
  slug: v.string(),
  name: v.string(),
  description: v.string(),
  state: v.picklist(sessionStates),
  active: v.boolean(),
  rehearsal: v.boolean(),
  startsAt: v.nullable(moment),
  startedAt: v.nullable(moment),
  pausedAt: v.nullable(moment),
  stoppedAt: v.nullable(moment),
  blueprintId: v.nullable(rowId),
  /** Events that are not destroyed, those still to be published included. */
  eventsCount: v.number(),
  registrationsCount: v.number(),
  /** The viewer has joined. */
  registered: v.boolean(),
  playersOnline: v.number(),
  settings: sessionSettings,
  version: v.number(),
});
export type SessionView = v.InferOutput<typeof sessionShape>;
export const sessionAnswer = v.object({ session: sessionShape });
export const sessionsAnswer = v.object({ sessions: v.array(sessionShape), meta: listMeta });
export type SessionsAnswer = v.InferOutput<typeof sessionsAnswer>;

/** `?state=running&active=true` on the index. */
export const sessionsQuery = v.object({
  state: v.optional(v.picklist(sessionStates, "is invalid")),
  active: v.optional(v.picklist(["true", "false"], "is invalid")),
});

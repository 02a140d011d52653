import * as v from "valibot";
import { onlyDigits, RESERVED_SLUG, SESSION_SLUG_LENGTH_MAX, slugFormat } from "#db/lists/session-address.ts";
import { registrationStates, sessionStates } from "#db/lists/sessions.ts";
import { dateField, listMeta, moment, rowId, textBlock, textLine, wholeNumber } from "#src/http/schemas.ts";
import { storedTeams, teamNames, teamNumber } from "#src/play/teams/schemas.ts";
import { brandBody, brandSchema, newBrandBody } from "#src/show/brands/schemas.ts";
import { POSITION_MAX, SETTLEMENT_DELAY_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { eventSchema } from "#src/show/events/schemas.ts";
import {
  sessionAuditSubjects,
  DISPLAY_NAME_LENGTH_MAX,
  EVENTS_REORDERED_MAX,
  sessionOrders,
  SESSION_DESCRIPTION_LENGTH_MAX,
  SESSION_NAME_LENGTH_MAX,
  SETTING_SECONDS_MAX,
} from "./contract.ts";

const settingSeconds = wholeNumber(0, SETTING_SECONDS_MAX);

/** The settings in a request's body; each is optional. */
export const sessionSettingsFields = {
  leadSeconds: v.optional(settingSeconds),
  settlementDelaySeconds: v.optional(settingSeconds),
  slowModeSeconds: v.optional(settingSeconds),
  smallRoom: v.optional(v.boolean()),
  voidUncalled: v.optional(v.boolean()),
  houseDollar: v.optional(v.boolean()),
  chatApproval: v.optional(v.boolean()),
  private: v.optional(v.boolean()),
  locked: v.optional(v.boolean()),
  givenNames: v.optional(v.boolean()),
  teams: v.optional(teamNames),
  brand: v.optional(brandBody),
};
/** The same of a session or a blueprint that does not exist yet. */
export const newSettingsFields = { ...sessionSettingsFields, brand: v.optional(newBrandBody) };
/** The settings of a stored session. One that was written before the setting existed, or that is invalid today, has the default. */
export const sessionSettings = v.object({
  leadSeconds: v.fallback(v.optional(settingSeconds, 10), 10),
  /** How long a result that a person decided can be taken back before it is paid. 0: it is paid at once. */
  settlementDelaySeconds: v.fallback(
    v.optional(settingSeconds, SETTLEMENT_DELAY_DEFAULT_SECONDS),
    SETTLEMENT_DELAY_DEFAULT_SECONDS,
  ),
  /** Between two messages of one player in the chat; 0: only the general limit of the chat applies. */
  slowModeSeconds: v.fallback(v.optional(settingSeconds, 0), 0),
  /** Admins may also play in the session that they run. */
  smallRoom: v.fallback(v.optional(v.boolean(), false), false),
  /** A closed event that nobody has called is voided when the time for its result has ended. */
  voidUncalled: v.fallback(v.optional(v.boolean(), false), false),
  /** Who has less than $1.00 and no active call may call each event up to $1.00: the house adds what is missing. */
  houseDollar: v.fallback(v.optional(v.boolean(), true), true),
  /** The big screen shows a chat message only once a host has let it. */
  chatApproval: v.fallback(v.optional(v.boolean(), false), false),
  /** Only those who have joined by the code, its hosts and admins find it. */
  private: v.fallback(v.optional(v.boolean(), false), false),
  /** Who is in stays in, and nobody else comes in. */
  locked: v.fallback(v.optional(v.boolean(), false), false),
  /** New guests get a name instead of choosing one. */
  givenNames: v.fallback(v.optional(v.boolean(), false), false),
  /** The names of its teams, in the order of their numbers; none: it has no teams. Processes of the release before leave it out. */
  teams: storedTeams,
  /** Left out of a session without one. */
  brand: v.fallback(v.optional(brandSchema), undefined),
  /** Since when a host wants the leaders on the big screen. It counts until a question opens or a result is decided. */
  leadersAt: v.fallback(v.optional(moment), undefined),
});
/** The same with the settings of a newer release, which this one must not drop when it writes. */
export const storedSettings = v.looseObject(sessionSettings.entries);
export type SessionSettings = v.InferOutput<typeof sessionSettings>;

/** What a stop ends and its undo brings back, as `sessions.before_stop` has it. */
export const beforeStop = v.object({
  /** When the session was paused at the stop; null: it was running. */
  pausedAt: v.nullable(v.string()),
  active: v.boolean(),
  /** The events that the stop has hidden. `timed`: their next transition had its place in the plan. */
  unopened: v.array(v.object({ id: v.number(), draft: v.boolean(), timed: v.boolean() })),
  /** The events that wait for their result longer than the session lasts: a timer of the stop voids them. */
  undecided: v.array(v.number()),
});
export type BeforeStop = v.InferOutput<typeof beforeStop>;

export const sessionSchema = v.object({
  id: rowId,
  slug: v.string(),
  name: v.string(),
  description: v.string(),
  state: v.picklist(sessionStates),
  active: v.boolean(),
  rehearsal: v.boolean(),
  startsAt: v.nullable(moment),
  startedAt: v.nullable(moment),
  /** How long after the start the plan began: the first event opened that much later. */
  startLeadSeconds: v.number(),
  pausedAt: v.nullable(moment),
  stoppedAt: v.nullable(moment),
  blueprintId: v.nullable(rowId),
  /** Events that are not destroyed, including drafts. */
  eventsCount: v.number(),
  registrationsCount: v.number(),
  registered: v.boolean(),
  playersOnline: v.number(),
  settings: sessionSettings,
  version: v.number(),
});
export type SessionView = v.InferOutput<typeof sessionSchema>;
export const sessionAnswer = v.object({ session: sessionSchema });
export const sessionsAnswer = v.object({ sessions: v.array(sessionSchema), meta: listMeta });
export type SessionsAnswer = v.InferOutput<typeof sessionsAnswer>;

/** `?state=running&active=true&blueprint_id=3&search=derby&order=soonest` on the index. */
export const sessionsQuery = v.object({
  state: v.optional(v.picklist(sessionStates, "is invalid")),
  active: v.optional(v.picklist(["true", "false"], "is invalid")),
  /** Those that the viewer hosts. */
  hosted: v.optional(v.literal("true", "is invalid")),
  blueprintId: v.optional(v.pipe(v.string(), v.toNumber(), rowId)),
  /** A part of the name, in any case. */
  search: v.optional(textBlock(SESSION_NAME_LENGTH_MAX)),
  /** `soonest`: the next planned start first, those without one last. Otherwise live ones first, then the newest. */
  order: v.optional(v.picklist(sessionOrders, "is invalid")),
});
export type SessionsQuery = v.InferOutput<typeof sessionsQuery>;

/** `?key=` of a big screen: the key of a stage link, or empty. Signed-in users need none. */
export const stageQuery = v.object({ key: v.optional(v.string()) });

const sessionFields = {
  name: textLine(SESSION_NAME_LENGTH_MAX),
  description: v.optional(textBlock(SESSION_DESCRIPTION_LENGTH_MAX)),
  startsAt: v.optional(v.nullable(dateField)),
  settings: v.optional(v.strictObject(sessionSettingsFields)),
};

export const createSessionBody = v.strictObject({
  ...sessionFields,
  settings: v.optional(v.strictObject(newSettingsFields)),
  /** Made from the name if left out. It never changes, so that links stay valid. */
  slug: v.optional(
    v.pipe(
      textLine(SESSION_SLUG_LENGTH_MAX),
      v.regex(slugFormat, "is invalid"),
      v.check((slug) => !onlyDigits.test(slug)),
      v.check((slug) => slug !== RESERVED_SLUG, "is reserved"),
    ),
  ),
});
export type CreateSessionBody = v.InferOutput<typeof createSessionBody>;

export const updateSessionBody = v.strictObject({ ...sessionFields, name: v.optional(sessionFields.name) });
export type UpdateSessionBody = v.InferOutput<typeof updateSessionBody>;

export const startSessionBody = v.strictObject({
  /** How long after the start the first event opens; every planned time is that much later. */
  inSeconds: v.optional(settingSeconds, 0),
  /** Players are sent here, also if another session is the active one until now. */
  activate: v.optional(v.boolean(), false),
});

export const eventPositionsBody = v.pipe(
  v.array(v.strictObject({ id: rowId, position: wholeNumber(1, POSITION_MAX) })),
  v.minLength(1),
  v.maxLength(EVENTS_REORDERED_MAX),
);

export type EventPositionsBody = v.InferOutput<typeof eventPositionsBody>;
/** Its answer: the events in their new order. */
export const orderedEventsAnswer = v.object({ events: v.array(eventSchema) });

/** Body of POST /api/v1/blueprints/:id/generate_session under `session`. `name` defaults to the blueprint's. */
export const generateSessionBody = v.strictObject({
  name: v.optional(sessionFields.name),
  startsAt: sessionFields.startsAt,
});

export const registrationSchema = v.object({
  id: rowId,
  sessionId: rowId,
  userId: rowId,
  displayName: v.string(),
  state: v.picklist(registrationStates),
  /** The number of the player's team; null in a session without teams. */
  team: v.nullable(v.number()),
  createdAt: moment,
});
export type RegistrationView = v.InferOutput<typeof registrationSchema>;
export const registrationAnswer = v.object({ registration: registrationSchema });

/** Body of POST /api/v1/sessions/:id/registrations under `registration`. `displayName` defaults to the username. */
export const registerPlayerBody = v.strictObject({
  displayName: v.optional(textLine(DISPLAY_NAME_LENGTH_MAX)),
  /** Of a new registration, in a session with teams. Without it, and where there is no such team: the smallest one. */
  team: v.optional(teamNumber),
});
/** An entry of a session's audit log. Only admins read it. */
export const auditLineSchema = v.object({
  id: rowId,
  /**
   * Null: the system, by a timer. `token`: the name of the access token by which a program did it; null: a person did. `dock`: it was
   * done by a dock of theirs; processes of the release before leave it out.
   */
  actor: v.nullable(
    v.object({
      id: rowId,
      username: v.string(),
      token: v.nullable(v.string()),
      dock: v.optional(v.boolean()),
    }),
  ),
  /** The name of the action or transition: "close_event". */
  action: v.string(),
  /** `title` is an event's current question; null for other subjects, and for events deleted with their session. */
  subject: v.object({ type: v.picklist(sessionAuditSubjects), id: rowId, title: v.nullable(v.string()) }),
  before: v.record(v.string(), v.unknown()),
  after: v.record(v.string(), v.unknown()),
  reason: v.nullable(v.string()),
  at: moment,
});
export type AuditLineView = v.InferOutput<typeof auditLineSchema>;
export const auditAnswer = v.object({ audit: v.array(auditLineSchema), meta: listMeta });
export type AuditAnswer = v.InferOutput<typeof auditAnswer>;

import * as v from "valibot";
import { autoResults, startModes } from "#db/lists/events.ts";
import {
  cents,
  dollars,
  listMeta,
  moment,
  money,
  rowId,
  textBlock,
  textLine,
  wholeNumber,
} from "#src/http/schemas.ts";
import { eventFields, questionPicture } from "#src/show/events/schemas.ts";
import { newSettingsFields, sessionSettings, sessionSettingsFields } from "#src/show/sessions/schemas.ts";
import { blueprintLimits as limits, PLAN_FILE_BYTES_MAX, PLAN_FILE_CHOICE_LENGTH_MAX } from "./contract.ts";
import { PLAN_TEXT_MAX } from "./plan-text/contract.ts";

export const blueprintEventSchema = v.object({
  id: rowId,
  blueprintId: rowId,
  /** 1..n without gaps. */
  position: v.number(),
  title: v.string(),
  description: v.string(),
  picture: v.nullable(questionPicture),
  explanation: v.string(),
  hostNote: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  startMode: v.picklist(startModes),
  /** After the session's start, or after the close or the result of the previous event. */
  offsetSeconds: v.number(),
  durationSeconds: v.number(),
  resolveWithinSeconds: v.number(),
  ...money("minWager"),
  /** Per player on this event; null: no limit. */
  maxWager: v.nullable(dollars),
  maxWagerCents: v.nullable(cents),
  autoResult: v.nullable(v.picklist(autoResults)),
  /** Increases with every change except of the position. */
  version: v.number(),
  createdAt: moment,
  updatedAt: moment,
});
export type BlueprintEventView = v.InferOutput<typeof blueprintEventSchema>;

/** What belongs to one event of one blueprint. */
export const identity = ["id", "blueprintId", "position", "version", "createdAt", "updatedAt"] as const;

export const blueprintSchema = v.object({
  id: rowId,
  name: v.string(),
  description: v.string(),
  defaults: sessionSettings,
  /** In the order of their positions. */
  blueprintEvents: v.array(blueprintEventSchema),
  /** Sessions generated from it that still exist. */
  sessionsCount: v.number(),
  /** Increases with every change of the blueprint itself; its events have their own versions. */
  version: v.number(),
  createdAt: moment,
  updatedAt: moment,
});
export type BlueprintView = v.InferOutput<typeof blueprintSchema>;

/** A blueprint that does not exist yet, with the defaults of its form. */
export const newBlueprintSchema = v.object({
  id: v.null(),
  ...v.pick(blueprintSchema, ["name", "description", "defaults", "blueprintEvents", "sessionsCount"]).entries,
});

export const blueprintOptions = v.object({
  startModes: v.array(v.object({ value: v.picklist(startModes), label: v.string() })),
  autoResults: v.array(v.object({ value: v.picklist(autoResults), label: v.string() })),
  durations: v.array(v.number()),
  limits: v.record(v.string(), v.number()),
  blueprintEvent: v.omit(blueprintEventSchema, ["title", ...identity]),
});
export type BlueprintOptions = v.InferOutput<typeof blueprintOptions>;

export const blueprintAnswer = v.object({ blueprint: blueprintSchema });
export const blueprintsAnswer = v.object({ blueprints: v.array(blueprintSchema), meta: listMeta });
export type BlueprintsAnswer = v.InferOutput<typeof blueprintsAnswer>;
/** `?name=derby` on the index. */
export const blueprintsQuery = v.object({ name: v.optional(textBlock(limits.nameLengthMax)) });
export type BlueprintsQuery = v.InferOutput<typeof blueprintsQuery>;
export const newBlueprintAnswer = v.object({ blueprint: newBlueprintSchema, options: blueprintOptions });
export type NewBlueprintAnswer = v.InferOutput<typeof newBlueprintAnswer>;
export const editBlueprintAnswer = v.object({ blueprint: blueprintSchema, options: blueprintOptions });
export type EditBlueprintAnswer = v.InferOutput<typeof editBlueprintAnswer>;
export const blueprintEventAnswer = v.object({ blueprintEvent: blueprintEventSchema });
/** Answer of batch_create and batch_update_positions: all events of the blueprint in their order. */
export const blueprintEventsAnswer = v.object({ blueprintEvents: v.array(blueprintEventSchema) });

/** What of an imported text is no action, or has no place in one, in the order of its lines. */
const leftOut = v.array(v.object({ line: v.number(), text: v.string(), why: v.string() }));
/** Answers of the imports. */
export const importedBlueprintAnswer = v.object({ ...blueprintAnswer.entries, leftOut });
export const importedEventsAnswer = v.object({ ...blueprintEventsAnswer.entries, leftOut });

const blueprintEventFields = {
  ...eventFields,
  /** The events from this position on move down. Without it a new event is added at the end. */
  position: v.optional(wholeNumber(1, limits.eventsMax)),
};

export const createBlueprintEventBody = v.strictObject({ blueprintId: rowId, ...blueprintEventFields });
export type CreateBlueprintEventBody = v.InferOutput<typeof createBlueprintEventBody>;

export const createBlueprintEventsBody = v.object({
  blueprintId: rowId,
  blueprintEvents: v.pipe(
    v.array(v.strictObject(eventFields)),
    v.minLength(1, "can't be blank"),
    v.maxLength(limits.eventsMax, `is too long (maximum is ${limits.eventsMax} events)`),
  ),
});
export type CreateBlueprintEventsBody = v.InferOutput<typeof createBlueprintEventsBody>;

/** Lines, a list, CSV, TSV or JSON with actions; see plan-text. */
const planText = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== "", "can't be blank"),
  v.maxLength(PLAN_TEXT_MAX),
);

export const importBlueprintEventsBody = v.strictObject({ blueprintId: rowId, text: planText });
export type ImportBlueprintEventsBody = v.InferOutput<typeof importBlueprintEventsBody>;

const BYTES_OF_FOUR = 3;

export const planFileBody = v.strictObject({
  /** The whole file in base64. */
  bytes: v.pipe(
    v.string(),
    v.nonEmpty("can't be blank"),
    v.maxLength(
      4 * Math.ceil(PLAN_FILE_BYTES_MAX / BYTES_OF_FOUR),
      `is too large (maximum is ${PLAN_FILE_BYTES_MAX} bytes)`,
    ),
    v.regex(/^[A-Za-z0-9+/]+={0,2}$/, "is not base64"),
  ),
  /** One of the answer's choices: the encoding of a text, or the sheet of a workbook. */
  readAs: v.optional(textLine(PLAN_FILE_CHOICE_LENGTH_MAX)),
});
export type PlanFileBody = v.InferOutput<typeof planFileBody>;

export const planFileAnswer = v.object({
  planFile: v.object({
    /** For `import`: lines of text, JSON, or the cells of a sheet with tabs between them. */
    text: v.string(),
    /** What was chosen: the letters of a text, or the sheet of a workbook. */
    kind: v.picklist(["letters", "sheet"]),
    readAs: v.string(),
    /** As what else it can be read; empty where there is no doubt. */
    choices: v.array(v.object({ value: v.string(), label: v.string() })),
    /** What of a workbook is not in the text, a sentence each. */
    leftOut: v.array(v.string()),
  }),
});
export type PlanFile = v.InferOutput<typeof planFileAnswer>["planFile"];

export const updateBlueprintEventsBody = v.pipe(
  v.array(
    v.strictObject({
      ...eventFields,
      title: v.optional(eventFields.title),
      id: rowId,
      /** The version that the client read. With another one by now nothing changes. */
      version: v.optional(v.number()),
    }),
  ),
  v.minLength(1, "can't be blank"),
  v.maxLength(limits.eventsMax),
);
export type UpdateBlueprintEventsBody = v.InferOutput<typeof updateBlueprintEventsBody>;

export const destroyBlueprintEventsBody = v.pipe(
  v.array(rowId),
  v.minLength(1, "can't be blank"),
  v.maxLength(limits.eventsMax),
);

export const updateBlueprintEventBody = v.strictObject({
  ...blueprintEventFields,
  title: v.optional(eventFields.title),
});
export type UpdateBlueprintEventBody = v.InferOutput<typeof updateBlueprintEventBody>;

export const positionsBody = v.pipe(
  v.array(v.strictObject({ id: rowId, position: wholeNumber(1, limits.eventsMax) })),
  v.minLength(1),
  v.maxLength(limits.eventsMax),
);
export type PositionsBody = v.InferOutput<typeof positionsBody>;

const blueprintFields = {
  name: textLine(limits.nameLengthMax),
  description: v.optional(textBlock(limits.descriptionLengthMax)),
  defaults: v.optional(v.strictObject(sessionSettingsFields)),
};

export const createBlueprintBody = v.strictObject({
  ...blueprintFields,
  defaults: v.optional(v.strictObject(newSettingsFields)),
});
export type CreateBlueprintBody = v.InferOutput<typeof createBlueprintBody>;

export const updateBlueprintBody = v.strictObject({
  ...blueprintFields,
  name: v.optional(blueprintFields.name),
});
export type UpdateBlueprintBody = v.InferOutput<typeof updateBlueprintBody>;

/** Body of POST /api/v1/blueprints/import under `blueprint`. The name of an exported blueprint comes with it. */
export const importBlueprintBody = v.strictObject({
  text: planText,
  name: v.optional(textBlock(limits.nameLengthMax)),
});
export type ImportBlueprintBody = v.InferOutput<typeof importBlueprintBody>;

export const blueprintFromSessionBody = v.strictObject({
  /** The slug or the id of a session. */
  session: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  /** The session's name if left out. */
  name: v.optional(textLine(limits.nameLengthMax)),
});
export type BlueprintFromSessionBody = v.InferOutput<typeof blueprintFromSessionBody>;

/** What was removed lately and can be brought back. */
export const removalSchema = v.object({
  id: rowId,
  blueprintId: rowId,
  /** The name of a whole blueprint; null for events of one. */
  name: v.nullable(v.string()),
  /** The events, in their order. */
  titles: v.array(v.string()),
  by: v.string(),
  at: moment,
});
export type RemovalView = v.InferOutput<typeof removalSchema>;
export const removalsAnswer = v.object({ removals: v.array(removalSchema) });
export type RemovalsAnswer = v.InferOutput<typeof removalsAnswer>;
/** `?blueprint_id=3`: the events that were removed from it. Without it: whole blueprints. */
export const removalsQuery = v.object({ blueprintId: v.optional(v.pipe(v.string(), v.toNumber(), rowId)) });

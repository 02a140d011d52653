import * as v from "valibot";
import { rates } from "#src/http/rates.ts";
import { rowId } from "#src/http/schemas.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { exportBlueprintCsv, exportBlueprintJson } from "./export-blueprint.ts";
import { listBlueprintEvents, showBlueprint } from "./find-blueprint-views.ts";
import { leftOutOf } from "./read-import.ts";
import { readSentFile } from "./read-plan-file.ts";
import { destroyBlueprintEvents, listRemovals, restoreRemoval } from "./removals.ts";
import {
  blueprintAnswer,
  blueprintEventsAnswer,
  blueprintFromSessionBody,
  destroyBlueprintEventsBody,
  importBlueprintBody,
  importBlueprintEventsBody,
  importedBlueprintAnswer,
  importedEventsAnswer,
  planFileAnswer,
  planFileBody,
  removalsAnswer,
  removalsQuery,
  updateBlueprintEventsBody,
} from "./schemas.ts";
import { importBlueprintEvents, updateBlueprintEvents } from "./write-blueprint-events.ts";
import { createFromSession, duplicateBlueprint, importBlueprint } from "./write-blueprint.ts";

const PLAN_BODY = { bytes: 1_024 * 1_024, values: 20 };
/** A file in base64. */
const FILE_BODY = { bytes: 2_800_000, values: 20 };
const PLAN_NOTES =
  "Lines, a list, CSV, TSV or JSON. Columns: question, true label, false label, seconds, start, min, max, wait, result within, " +
  "result, description, explanation, host note, picture, picture text; with a header in any order, also in German, French, Spanish, Italian, Portuguese or Dutch. Errors name the line: `line 3: Duration is not a number`. What was not used is listed in `leftOut`: so is a picture, unless it is the key by which an export of this installation names one.";

/** Plans as a whole: in and out as text, copied, changed at several places, and brought back. */
export const planEndpoints = {
  exportBlueprintCsv: endpoint({
    route: "GET /api/v1/blueprints/:id/export.csv",
    summary: "Downloads the events of a blueprint for a spreadsheet",
    notes:
      "It begins with a byte order mark. A text that a spreadsheet would run as a formula has an apostrophe before it.",
    who: "admin",
    answer: "file",
    handle: (deps, { params }) => exportBlueprintCsv(deps.pool.db, params.id),
  }),
  exportBlueprintJson: endpoint({
    route: "GET /api/v1/blueprints/:id/export.json",
    summary: "Downloads a blueprint that another installation can import",
    who: "admin",
    answer: "file",
    handle: (deps, { params }) => exportBlueprintJson(deps.pool.db, params.id),
  }),
  readPlanFile: endpoint({
    route: "POST /api/v1/blueprints/read_file",
    summary: "Reads the text of a file for an import: a workbook (.xlsx, .ods), or a text in any encoding",
    notes:
      "It stores nothing. Formulas are the values that they had when the file was saved. The encoding of a text that is no UTF-8 is guessed from `Accept-Language`; `read_as` takes another one of the answer's choices, or another sheet.",
    who: "admin",
    rate: rates.planFiles,
    body: { file: planFileBody },
    bodyMax: FILE_BODY,
    answer: planFileAnswer,
    handle: async (_deps, { request, body }) => ({
      planFile: await readSentFile(body.file, request.headers),
    }),
  }),
  importBlueprint: endpoint({
    route: "POST /api/v1/blueprints/import",
    summary: "Creates a blueprint from a text: an exported one, or a list of questions",
    notes: `An exported blueprint brings its name; any other text needs one. ${PLAN_NOTES}`,
    who: "admin",
    body: { blueprint: importBlueprintBody },
    bodyMax: PLAN_BODY,
    answer: importedBlueprintAnswer,
    creates: true,
    handle: async (deps, { viewer, body: { blueprint }, keyed }) => {
      const id = await importBlueprint(deps, { actor: viewer, ...blueprint }, keyed);
      const leftOut = await leftOutOf(deps.pool.db, blueprint.text);
      return { ...(await showBlueprint(deps, id)), leftOut };
    },
  }),
  duplicateBlueprint: endpoint({
    route: "POST /api/v1/blueprints/:id/duplicate",
    summary: "Copies a blueprint with its events",
    who: "admin",
    answer: blueprintAnswer,
    creates: true,
    handle: async (deps, { viewer, params, keyed }) =>
      showBlueprint(deps, await duplicateBlueprint(deps, { actor: viewer, blueprintId: params.id }, keyed)),
  }),
  createFromSession: endpoint({
    route: "POST /api/v1/blueprints/from_session",
    summary: "Creates a blueprint from the events of a session",
    notes:
      "In the order in which the session had them; destroyed events are left out. Without a name it gets the session's.",
    who: "admin",
    body: { blueprint: blueprintFromSessionBody },
    answer: blueprintAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) =>
      showBlueprint(deps, await createFromSession(deps, { actor: viewer, ...body.blueprint }, keyed)),
  }),
  importBlueprintEvents: endpoint({
    route: "POST /api/v1/blueprint_events/import",
    summary: "Adds the events that a text names at the end of a blueprint, all or none",
    notes: PLAN_NOTES,
    who: "admin",
    body: { plan: importBlueprintEventsBody },
    bodyMax: PLAN_BODY,
    answer: importedEventsAnswer,
    creates: true,
    handle: async (deps, { viewer, body: { plan }, keyed }) => {
      await importBlueprintEvents(deps, { actor: viewer, ...plan }, keyed);
      const leftOut = await leftOutOf(deps.pool.db, plan.text);
      return { ...(await listBlueprintEvents(deps, plan.blueprintId)), leftOut };
    },
  }),
  updateBlueprintEvents: endpoint({
    route: "POST /api/v1/blueprint_events/batch_update",
    summary: "Changes several events of a blueprint, all or none",
    notes:
      "Each with its own fields, and with the `version` it is based on if somebody else's change must not be lost. With a `blueprint_id` all have to be of that blueprint.",
    who: "admin",
    body: { blueprintEvents: updateBlueprintEventsBody, blueprintId: v.optional(rowId) },
    bodyMax: { bytes: 512 * 1_024, values: 5_000 },
    answer: blueprintEventsAnswer,
    handle: async (deps, { viewer, body }) =>
      listBlueprintEvents(deps, await updateBlueprintEvents(deps, { actor: viewer, ...body })),
  }),
  destroyBlueprintEvents: endpoint({
    route: "POST /api/v1/blueprint_events/batch_destroy",
    summary: "Deletes several events of a blueprint, all or none",
    who: "admin",
    body: { ids: destroyBlueprintEventsBody },
    bodyMax: { bytes: 16 * 1_024, values: 1_000 },
    answer: blueprintEventsAnswer,
    handle: async (deps, { viewer, body }) =>
      listBlueprintEvents(deps, await destroyBlueprintEvents(deps, { actor: viewer, ids: body.ids })),
  }),
  listRemovals: endpoint({
    route: "GET /api/v1/blueprint_removals",
    summary: "Lists what was removed in the last 24 hours and can be brought back",
    notes:
      "With `blueprint_id` the events removed from that blueprint, else whole blueprints. Newest first, at most 20.",
    who: "admin",
    query: removalsQuery.entries,
    answer: removalsAnswer,
    handle: async (deps, { query }) => ({ removals: await listRemovals(deps.pool.db, query.blueprintId) }),
  }),
  restoreRemoval: endpoint({
    route: "POST /api/v1/blueprint_removals/:id/restore",
    summary: "Brings back a removed blueprint, or removed events to their positions",
    who: "admin",
    answer: blueprintAnswer,
    refusals: { too_late_to_undo: "It was removed more than 24 hours ago." },
    handle: async (deps, { viewer, params, now }) =>
      showBlueprint(deps, await restoreRemoval(deps, { actor: viewer, removalId: params.id, now })),
  }),
};

import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import { generateSessionBody, sessionAnswer } from "#src/show/sessions/schemas.ts";
import {
  listBlueprintEvents,
  listBlueprints,
  offerBlueprint,
  offerNewBlueprint,
  showBlueprint,
  showBlueprintEvent,
} from "./find-blueprint-views.ts";
import { generateSession } from "./generate-session.ts";
import { destroyBlueprint, destroyBlueprintEvent } from "./removals.ts";
import {
  blueprintAnswer,
  blueprintEventAnswer,
  blueprintEventsAnswer,
  blueprintsAnswer,
  blueprintsQuery,
  createBlueprintBody,
  createBlueprintEventBody,
  createBlueprintEventsBody,
  editBlueprintAnswer,
  newBlueprintAnswer,
  positionsBody,
  updateBlueprintBody,
  updateBlueprintEventBody,
} from "./schemas.ts";
import {
  createBlueprintEvent,
  createBlueprintEvents,
  updateBlueprintEvent,
  updatePositions,
} from "./write-blueprint-events.ts";
import { createBlueprint, updateBlueprint } from "./write-blueprint.ts";

export const blueprintsEndpoints = {
  listBlueprints: endpoint({
    route: "GET /api/v1/blueprints",
    summary: "Lists the blueprints by name",
    who: "admin",
    query: blueprintsQuery.entries,
    paged: true,
    answer: blueprintsAnswer,
    etag: true,
    handle: (deps, { query, page, now }) => listBlueprints(deps.pool.db, { query, page }, now),
  }),
  offerNewBlueprint: endpoint({
    route: "GET /api/v1/blueprints/new",
    summary: "Returns the defaults and options of the form for a new blueprint",
    who: "admin",
    answer: newBlueprintAnswer,
    etag: true,
    handle: () => offerNewBlueprint(),
  }),
  showBlueprint: endpoint({
    route: "GET /api/v1/blueprints/:id",
    summary: "Shows a blueprint with its events",
    who: "admin",
    answer: blueprintAnswer,
    etag: true,
    handle: (deps, { params }) => showBlueprint(deps, params.id),
  }),
  offerBlueprint: endpoint({
    route: "GET /api/v1/blueprints/:id/edit",
    summary: "Returns a blueprint with the options of its form",
    who: "admin",
    answer: editBlueprintAnswer,
    etag: true,
    handle: (deps, { params }) => offerBlueprint(deps.pool.db, params.id),
  }),
  createBlueprint: endpoint({
    route: "POST /api/v1/blueprints",
    summary: "Creates a blueprint",
    who: "admin",
    body: { blueprint: createBlueprintBody },
    answer: blueprintAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) =>
      showBlueprint(deps, await createBlueprint(deps, { actor: viewer, ...body.blueprint }, keyed)),
  }),
  updateBlueprint: endpoint({
    route: "PATCH /api/v1/blueprints/:id",
    summary: "Changes a blueprint",
    who: "admin",
    body: { blueprint: updateBlueprintBody },
    answer: blueprintAnswer,
    versioned: true,
    handle: async (deps, { viewer, params, body, ifVersion }) => {
      const command = { actor: viewer, blueprintId: params.id, ifVersion };
      await updateBlueprint(deps, { ...command, ...body.blueprint });
      return showBlueprint(deps, params.id);
    },
  }),
  destroyBlueprint: endpoint({
    route: "DELETE /api/v1/blueprints/:id",
    summary: "Deletes a blueprint",
    who: "admin",
    refusals: { dependents: "One of its sessions is pending or live." },
    versioned: true,
    handle: (deps, { viewer, params, ifVersion }) =>
      destroyBlueprint(deps, { actor: viewer, blueprintId: params.id, ifVersion }),
  }),
  generateSession: endpoint({
    route: "POST /api/v1/blueprints/:id/generate_session",
    summary: "Generates a session from a blueprint",
    notes: "Without a name the session gets the blueprint's.",
    who: "admin",
    token: "run",
    body: { session: generateSessionBody },
    bodyOptional: true,
    answer: sessionAnswer,
    creates: true,
    handle: async (deps, { viewer, params, body, keyed }) => {
      const command = { actor: viewer, blueprintId: params.id, ...body.session };
      const { id } = await generateSession(deps, command, keyed);
      return showSession(deps, id, viewer);
    },
  }),
};

export const blueprintEventsEndpoints = {
  createBlueprintEvent: endpoint({
    route: "POST /api/v1/blueprint_events",
    summary: "Adds an event to a blueprint",
    who: "admin",
    body: { blueprintEvent: createBlueprintEventBody },
    answer: blueprintEventAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) => {
      const id = await createBlueprintEvent(deps, { actor: viewer, ...body.blueprintEvent }, keyed);
      return showBlueprintEvent(deps, id);
    },
  }),
  createBlueprintEvents: endpoint({
    route: "POST /api/v1/blueprint_events/batch_create",
    summary: "Adds a list of events at the end of a blueprint, all or none",
    notes: "Errors name the event's index in the list: `blueprintEvents.2.title`.",
    who: "admin",
    body: {
      blueprintEvents: createBlueprintEventsBody.entries.blueprintEvents,
      blueprintId: createBlueprintEventsBody.entries.blueprintId,
    },
    bodyMax: { bytes: 512 * 1_024, values: 5_000 },
    answer: blueprintEventsAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) => {
      await createBlueprintEvents(deps, { actor: viewer, ...body }, keyed);
      return listBlueprintEvents(deps, body.blueprintId);
    },
  }),
  updatePositions: endpoint({
    route: "POST /api/v1/blueprint_events/batch_update_positions",
    summary: "Reorders the events of a blueprint",
    notes: "The body lists all of them, with positions 1 to n.",
    who: "admin",
    body: { blueprintEvents: positionsBody },
    bodyMax: { bytes: 16 * 1_024, values: 1_000 },
    answer: blueprintEventsAnswer,
    handle: async (deps, { viewer, body }) => {
      const id = await updatePositions(deps, { actor: viewer, positions: body.blueprintEvents });
      return listBlueprintEvents(deps, id);
    },
  }),
  showBlueprintEvent: endpoint({
    route: "GET /api/v1/blueprint_events/:id",
    summary: "Shows an event of a blueprint",
    who: "admin",
    answer: blueprintEventAnswer,
    etag: true,
    handle: (deps, { params }) => showBlueprintEvent(deps, params.id),
  }),
  updateBlueprintEvent: endpoint({
    route: "PATCH /api/v1/blueprint_events/:id",
    summary: "Changes an event of a blueprint",
    who: "admin",
    body: { blueprintEvent: updateBlueprintEventBody },
    answer: blueprintEventAnswer,
    versioned: true,
    handle: async (deps, { viewer, params, body, ifVersion }) => {
      const command = { actor: viewer, blueprintEventId: params.id, ifVersion };
      await updateBlueprintEvent(deps, { ...command, ...body.blueprintEvent });
      return showBlueprintEvent(deps, params.id);
    },
  }),
  destroyBlueprintEvent: endpoint({
    route: "DELETE /api/v1/blueprint_events/:id",
    summary: "Deletes an event of a blueprint",
    who: "admin",
    versioned: true,
    handle: (deps, { viewer, params, ifVersion }) =>
      destroyBlueprintEvent(deps, { actor: viewer, blueprintEventId: params.id, ifVersion }),
  }),
};

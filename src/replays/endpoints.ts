import { rates } from "#src/http/rates.ts";
import { readLate } from "#src/http/read-late.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts, slugOrId } from "#src/play/session-endpoints.ts";
import { exportReplay } from "./export-replay.ts";
import { decisionCheckAnswer, decisionsAnswer, exportQuery, replayAnswer, replayQuery } from "./schemas.ts";
import { recomputeDecision, showDecisions } from "./show-decisions.ts";
import { showReplay } from "./show-replay.ts";

/** What a session showed at each second, and the check of all its payouts. */
export const replaysEndpoints = {
  showReplay: endpoint({
    route: "GET /api/v1/sessions/:id/replay",
    summary: "Shows what a session showed, change by change",
    notes:
      "For admins, and in a reduced form for players of a session that has stopped; otherwise 404. A long replay comes in parts: send `next` as `after`, and `until` as it came. Pools change on whole seconds: each is that of all calls until then.",
    who: "viewer",
    params: slugOrId,
    query: replayQuery.entries,
    rate: rates.replay,
    answer: replayAnswer,
    handle: async (deps, { request, params, viewer, query }) => ({
      replay: await readLate(deps, request, (reader, { late }) =>
        showReplay(reader, { slugOrId: params.id, viewer, query }, { stoppedOnly: late }),
      ),
    }),
  }),
  exportReplay: endpoint({
    route: "GET /api/v1/sessions/:id/replay/export",
    summary: "Streams the changes of a session as a file: `?format=json` or `csv`",
    who: "viewer",
    params: slugOrId,
    query: exportQuery.entries,
    rate: rates.replay,
    answer: "file",
    handle: (deps, { request, params, viewer, query }) =>
      readLate(deps, request, (reader) => exportReplay(reader, { slugOrId: params.id, viewer, query })),
  }),
  listDecisions: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/decisions",
    summary: "Lists all decisions on the payouts of a session, oldest first",
    notes: "Each result, each correction, and what a reset refunded. At most 5,000.",
    answer: decisionsAnswer,
    handle: async (deps, { request, params }) => ({
      decisions: await readLate(deps, request, ({ pool }) => showDecisions(pool.db, params.id)),
    }),
  }),
  recomputeDecision: endpoint({
    route: "GET /api/v1/decisions/:id/recomputation",
    summary: "Recomputes the payouts of a decision, and compares them with what was paid",
    notes: "Of a decision that was replaced, with what it had decided.",
    who: "host",
    session: "decision",
    rate: rates.recomputeDecision,
    answer: decisionCheckAnswer,
    handle: (deps, { params }) => recomputeDecision(deps, params.id),
  }),
};

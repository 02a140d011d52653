import { CANCEL_BEFORE_CLOSE_MS, CANCEL_BEFORE_PAUSE_MS } from "#db/lists/limits.ts";
import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { takeCallBack } from "./cancel-call.ts";
import { listCalls, listResults } from "./list-calls.ts";
import { placeCall, readPlacement } from "./place-call.ts";
import {
  callAnswer,
  callsAnswer,
  callsQuery,
  cancelCallQuery,
  placeCallBody,
  receiptAnswer,
  resultsAnswer,
} from "./schemas.ts";
import { showReceipt } from "./show-receipt.ts";

const busy = {
  event_busy: {
    status: 503,
    when: "Another change of the event takes long. Nothing was changed; Retry-After says when to retry.",
  },
} as const;

/** Placing, listing and cancelling the viewer's own calls, with a receipt for each. */
export const callsEndpoints = {
  listCalls: endpoint({
    route: "GET /api/v1/calls",
    summary: "Lists the viewer's own calls, newest first",
    notes:
      "Calls that the viewer cancelled are `soft_destroyed` without an outcome. Calls that a skip, a reset or an admin refunded have `refundedBy`.",
    who: "viewer",
    query: callsQuery.entries,
    paged: true,
    newestFirst: true,
    answer: callsAnswer,
    handle: async (deps, { context, viewer, query, page, now }) => {
      const asked = { viewer: { id: viewer.id }, query, page };
      return (await context.knownCalls?.(asked)) ?? listCalls(deps.pool.db, asked, { now, asker: viewer });
    },
  }),
  placeCall: endpoint({
    route: "POST /api/v1/calls",
    summary: "Places a call",
    notes:
      "Holds the wager on the wallet at once. With `on_the_house: true` a player with less than $1.00 available and no active call can call up to $1.00: the house adds what is missing, once for an event, unless the session's setting `houseDollar` is false. A request with the same Idempotency-Key is answered like the first one, with `Idempotent-Replayed: true`.",
    who: "viewer",
    judgesSignIn: true,
    rate: rates.placeCall,
    body: { call: placeCallBody },
    answer: callAnswer,
    creates: true,
    refusals: {
      late: "The event had closed before the call arrived.",
      paused: "The session is paused.",
      invalid_spot_state:
        "The spot does not accept calls now; or the event was decided while the call, which had arrived in time, waited for its turn.",
      insufficient_balance:
        "The wager exceeds the available balance of the wallet, and the house adds nothing to it.",
      on_break: "The player is on a break.",
      idempotency_key_reused: "The key belongs to another call.",
      ...busy,
      too_many_calls: {
        status: 503,
        when: "Too many calls are waiting. The call was not placed; Retry-After says when to retry.",
      },
    },
    handle: async (deps, { context, viewer, authentication, body: { call }, idempotencyKey, set }) => {
      const asked = { viewer, signInId: authentication.signInId, arrivedAtMs: context.arrivedAtMs };
      const placement = readPlacement({ ...asked, call, idempotencyKey });
      const { answer, replayed } = await placeCall(deps, placement);
      set.headers["idempotent-replayed"] = String(replayed);
      return answer;
    },
  }),
  showReceipt: endpoint({
    route: "GET /api/v1/calls/:id",
    summary: "Shows a call with its receipt",
    notes: "The viewer's own calls; admins can read all calls.",
    who: "viewer",
    answer: receiptAnswer,
    handle: (deps, { viewer, params, now }) => showReceipt(deps.pool.db, { viewer, callId: params.id }, now),
  }),
  listResults: endpoint({
    route: "GET /api/v1/users/:id/results",
    summary: "Lists the resolved calls of a user, newest result first",
    who: "own",
    token: "none",
    paged: true,
    newestFirst: true,
    answer: resultsAnswer,
    handle: (deps, { params, page, now }) => listResults(deps.pool.db, { userId: params.id, page }, now),
  }),
  cancelCall: endpoint({
    route: "DELETE /api/v1/calls/:id",
    summary: "Cancels a call",
    notes: `The viewer's own calls until ${CANCEL_BEFORE_CLOSE_MS / 1_000} seconds before the event closes; while the session is paused, only those of the last ${CANCEL_BEFORE_PAUSE_MS / 1_000} seconds before the pause. Admins also take back another player's call until its event is resolved: the wager is refunded, and the player is notified with the reason.`,
    who: "viewer",
    query: cancelCallQuery.entries,
    refusals: busy,
    handle: (deps, { viewer, params, query }) =>
      takeCallBack(deps, { viewer, callId: params.id, reason: query.reason || null }),
  }),
};

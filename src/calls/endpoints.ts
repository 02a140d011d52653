import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import {
  callAnswer,
  callsAnswer,
  callsQuery,
  placeCallBody,
  receiptAnswer,
  resultsAnswer,
} from "./schemas.ts";

/** Placing, listing and taking back one's own calls, with a receipt for each. */
export const callsEndpoints = {
  listCalls: {
    method: "GET",
    path: "/api/v1/calls",
    summary: "Lists one's own calls, newest first",
    notes: "Calls that were taken back are listed only with `state=soft_destroyed`.",
    who: "viewer",
    query: callsQuery.entries,
    paged: true,
    answer: callsAnswer,
  },
  placeCall: {
    method: "POST",
    path: "/api/v1/calls",
    summary: "Places a call",
    notes:
      "The wager is held on the wallet at once. Placed again under its Idempotency-Key it is answered like the first time, with `Idempotent-Replayed: true`.",
    who: "viewer",
    rate: rates.placeCall,
    body: { call: placeCallBody },
    answer: callAnswer,
    status: 201,
    idempotent: true,
    refusals: {
      late: "The call came after the event had closed.",
      invalid_spot_state: "The spot takes no calls now.",
      insufficient_balance: "The wallet does not hold as much.",
      idempotency_key_reused: "The key belongs to another call.",
      too_many_calls: {
        status: 503,
        when: "Too many calls wait to be placed. Nothing was done; Retry-After says when to come back.",
      },
    },
  },
  showReceipt: {
    method: "GET",
    path: "/api/v1/calls/:id",
    summary: "Shows a call with its receipt",
    notes: "One's own; admins may look at everybody's.",
    who: "viewer",
    answer: receiptAnswer,
  },
  listResults: {
    method: "GET",
    path: "/api/v1/users/:id/results",
    summary: "Lists the calls of a user that have a result, the newest result first",
    who: "own",
    paged: true,
    answer: resultsAnswer,
  },
  cancelCall: {
    method: "DELETE",
    path: "/api/v1/calls/:id",
    summary: "Takes a call back",
    notes: "Until shortly before its event closes.",
    who: "viewer",
  },
} as const satisfies Endpoints;

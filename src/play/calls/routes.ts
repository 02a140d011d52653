import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { takeCallBack } from "./cancel-call.ts";
import { callsEndpoints } from "./endpoints.ts";
import { listCalls, listResults } from "./list-calls.ts";
import { placeCall, readPlacement } from "./place-call.ts";
import { showReceipt } from "./show-receipt.ts";

export function callsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(callsEndpoints, {
    listCalls: async ({ context, viewer, query, page, now }) => {
      const asked = { viewer: { id: viewer.id }, query, page };
      return (await context.knownCalls?.(asked)) ?? listCalls(db, asked, { now, asker: viewer });
    },
    placeCall: async ({ viewer, authentication, body: { call }, idempotencyKey, set }) => {
      const { signInId } = authentication;
      const placement = readPlacement({ viewer, signInId, call, idempotencyKey });
      const { answer, replayed } = await placeCall(deps, placement);
      set.headers["idempotent-replayed"] = String(replayed);
      return answer;
    },
    showReceipt: ({ viewer, params, now }) => showReceipt(db, { viewer, callId: params.id }, now),
    listResults: ({ params, page, now }) => listResults(db, { userId: params.id, page }, now),
    cancelCall: ({ viewer, params, query }) =>
      takeCallBack(deps, { viewer, callId: params.id, reason: query.reason || null }),
  });
}

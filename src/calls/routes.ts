import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readId } from "#src/http/read-id.ts";
import { requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { requireOwn } from "#src/wallet/require-own.ts";
import { cancelCall } from "./cancel-call.ts";
import { findCallAnswer } from "./find-call-answer.ts";
import { listCalls } from "./list-calls.ts";
import { listResults } from "./list-results.ts";
import { mayPlace } from "./may-place.ts";
import { placeCall } from "./place-call.ts";
import { readPlacement } from "./read-placement.ts";
import { showReceipt } from "./show-receipt.ts";

/**
 * Placing, listing and taking back one's own calls, with a receipt for each; admins may look at everybody's receipts and
 * results. A call that is placed again under its Idempotency-Key is answered like
 * the first time, 201, with the header Idempotent-Replayed: true.
 */
export function callsRoutes(deps: Deps) {
  return new Elysia({ name: "calls" })
    .use(visiting(deps))
    .get("/api/v1/calls", ({ query, visit }) =>
      listCalls(deps.pool.db, requireViewer(visit), { query, now: new Date() }),
    )
    .post("/api/v1/calls", async ({ request, body, visit, set }) => {
      const viewer = await mayPlace(deps, visit);
      const { callId, replayed } = await placeCall(deps, readPlacement(viewer, body, request.headers));
      set.status = 201;
      set.headers["idempotent-replayed"] = String(replayed);
      return findCallAnswer(deps.pool.db, { callId, viewer }, new Date());
    })
    .get("/api/v1/calls/:id", ({ params, visit }) =>
      showReceipt(deps.pool.db, { viewer: requireViewer(visit), callId: readId(params.id) }, new Date()),
    )
    .get("/api/v1/users/:id/results", ({ params, query, visit }) => {
      const userId = readId(params.id);
      requireOwn(requireViewer(visit), userId);
      return listResults(deps.pool.db, userId, { query, now: new Date() });
    })
    .delete("/api/v1/calls/:id", async ({ params, visit, set }) => {
      await cancelCall(deps, { viewer: requireViewer(visit), callId: readId(params.id) });
      set.status = 204;
    });
}

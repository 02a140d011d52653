import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { requireAccount } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { announceUpload } from "./announce-upload.ts";
import { DIRECT_UPLOADS_PATH, directUploadBody } from "./contract.ts";
import { presentDirectUpload } from "./present-direct-upload.ts";
import { showBlob } from "./show-blob.ts";
import { storeUpload } from "./store-upload.ts";

/** Files: announced, sent and read, with the protocol of Active Storage's public client. */
export function storageRoutes(deps: Deps) {
  return new Elysia({ name: "storage" })
    .get("/api/v1/storage/blobs/:signedId/*", ({ params }) => showBlob(deps, params.signedId))
    .put("/api/v1/storage/uploads/:token", async ({ params, request, set }) => {
      await storeUpload(deps, params.token, request);
      set.status = 204;
    })
    .use(visiting(deps))
    .post(DIRECT_UPLOADS_PATH, async ({ request, body, visit, set }) => {
      requireAccount(visit);
      const blob = await announceUpload(deps, visit, readBody(body, "blob", directUploadBody));
      set.status = 201;
      const origin = request.headers.get("origin") ?? deps.env.publicUrl;
      return presentDirectUpload(deps.env, blob, { origin, now: new Date() });
    });
}

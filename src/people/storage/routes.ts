import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { announceUpload, presentDirectUpload } from "./announce-upload.ts";
import { storageEndpoints } from "./endpoints.ts";
import { showBlob } from "./show-blob.ts";
import { storeUpload } from "./store-upload.ts";

export function storageRoutes(deps: Deps) {
  return serveEndpoints(storageEndpoints, {
    showBlob: ({ params }) => showBlob(deps, params.signedId),
    storeUpload: ({ params, context }) => storeUpload(deps, params.token, context),
    announceUpload: async ({ request, authentication, body, keyed, now }) => {
      const blob = await announceUpload(deps, authentication, body.blob, keyed);
      const origin = request.headers.get("origin") ?? deps.env.publicUrl;
      return presentDirectUpload(deps.env, blob, { origin, now });
    },
  });
}

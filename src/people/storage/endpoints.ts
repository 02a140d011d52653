import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { announceUpload, presentDirectUpload } from "./announce-upload.ts";
import { DIRECT_UPLOADS_PATH } from "./contract.ts";
import { directUploadAnswer, directUploadBody } from "./schemas.ts";
import { showBlob } from "./show-blob.ts";
import { storeUpload } from "./store-upload.ts";

/** Direct uploads with the protocol of Active Storage's public client, and reading files. */
export const storageEndpoints = {
  showBlob: endpoint({
    route: "GET /api/v1/storage/blobs/:signedId/*",
    summary: "Serves a file",
    notes: "The signed id in the address grants access. The last part of the path may be any file name.",
    who: "public",
    skipsSignIn: true,
    params: { signedId: "text" },
    answer: "file",
    handle: (deps, { params }) => showBlob(deps, params.signedId),
  }),
  storeUpload: endpoint({
    route: "PUT /api/v1/storage/uploads/:token",
    summary: "Stores the bytes of an announced upload",
    notes: "Use the address and the headers from the announcement's answer.",
    who: "public",
    raw: "file",
    params: { token: "text" },
    refusals: { switched_off: { status: 403, when: "An admin has turned uploads off." } },
    handle: (deps, { params, context }) => storeUpload(deps, params.token, context),
  }),
  announceUpload: endpoint({
    route: `POST ${DIRECT_UPLOADS_PATH}`,
    summary: "Announces an upload",
    notes: "The answer has the address to send the bytes to. Its keys come in snake_case and camelCase.",
    who: "account",
    limited: true,
    body: { blob: directUploadBody },
    answer: directUploadAnswer,
    creates: true,
    refusals: { switched_off: { status: 403, when: "An admin has turned uploads off." } },
    handle: async (deps, { request, authentication, body, keyed, now }) => {
      const blob = await announceUpload(deps, authentication, body.blob, keyed);
      const origin = request.headers.get("origin") ?? deps.env.publicUrl;
      return presentDirectUpload(deps.env, blob, { origin, now });
    },
  }),
};

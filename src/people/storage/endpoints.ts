import type { Endpoints } from "#src/http/endpoint.ts";
import { DIRECT_UPLOADS_PATH } from "./contract.ts";
import { directUploadAnswer, directUploadBody } from "./schemas.ts";

/** Direct uploads with the protocol of Active Storage's public client, and reading files. */
export const storageEndpoints = {
  showBlob: {
    route: "GET /api/v1/storage/blobs/:signedId/*",
    summary: "Serves a file",
    notes: "The signed id in the address grants access. The last part of the path may be any file name.",
    who: "public",
    skipsSignIn: true,
    params: { signedId: "text" },
    answer: "file",
  },
  storeUpload: {
    route: "PUT /api/v1/storage/uploads/:token",
    summary: "Stores the bytes of an announced upload",
    notes: "Use the address and the headers from the announcement's answer.",
    who: "public",
    raw: "file",
    params: { token: "text" },
    refusals: { switched_off: { status: 403, when: "An admin has turned uploads off." } },
  },
  announceUpload: {
    route: `POST ${DIRECT_UPLOADS_PATH}`,
    summary: "Announces an upload",
    notes: "The answer has the address to send the bytes to. Its keys come in snake_case and camelCase.",
    who: "account",
    limited: true,
    body: { blob: directUploadBody },
    answer: directUploadAnswer,
    creates: true,
    refusals: { switched_off: { status: 403, when: "An admin has turned uploads off." } },
  },
} as const satisfies Endpoints;

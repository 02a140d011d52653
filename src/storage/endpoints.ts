import type { Endpoints } from "#src/http/endpoint.ts";
import { DIRECT_UPLOADS_PATH } from "./contract.ts";
import { directUploadAnswer, directUploadBody } from "./schemas.ts";

/** Files: announced, sent and read, with the protocol of Active Storage's public client. */
export const storageEndpoints = {
  showBlob: {
    method: "GET",
    path: "/api/v1/storage/blobs/:signedId/*",
    summary: "Serves a file",
    notes: "The address itself says that it may be read; it ends in any file name.",
    who: "public",
    params: { signedId: "text" },
    answer: "file",
  },
  storeUpload: {
    method: "PUT",
    path: "/api/v1/storage/uploads/:token",
    summary: "Takes the bytes of an upload that was announced",
    notes: "To the address and with the headers that the announcement was answered with.",
    who: "public",
    params: { token: "text" },
  },
  announceUpload: {
    method: "POST",
    path: DIRECT_UPLOADS_PATH,
    summary: "Announces an upload",
    notes: "Answers with the address that the bytes are sent to. Keys are in both spellings.",
    who: "account",
    limited: true,
    body: { blob: directUploadBody },
    answer: directUploadAnswer,
    status: 201,
  },
} as const satisfies Endpoints;

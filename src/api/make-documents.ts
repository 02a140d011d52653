import { parentPort, workerData } from "node:worker_threads";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import * as v from "valibot";
import { describeApi } from "./describe-api.ts";
import { referencePage } from "./reference-page.ts";

/** A document that is the same for all clients, and its compressed forms. */
type Document = {
  bytes: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
};
export type Documents = { page: Document; openapi: Document };

/** Close to the smallest, for a tenth of the time. */
const BROTLI_QUALITY = 9;
const files = v.object({ styles: v.string(), mark: v.string() });

// This file is a thread of its own (documents.ts): describing all endpoints takes most of a second without a pause.
parentPort?.postMessage({
  page: compressed(referencePage(v.parse(files, workerData))),
  openapi: compressed(JSON.stringify(describeApi())),
} satisfies Documents);

function compressed(text: string): Document {
  const bytes = new TextEncoder().encode(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return {
    bytes,
    br: new Uint8Array(brotliCompressSync(bytes, { params })),
    gzip: new Uint8Array(gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })),
  };
}

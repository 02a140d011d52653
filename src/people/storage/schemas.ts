import * as v from "valibot";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import { textLine } from "#src/http/schemas.ts";
import { FILENAME_LENGTH_MAX, NO_PICTURE } from "./contract.ts";

export const directUploadBody = v.strictObject({
  filename: textLine(FILENAME_LENGTH_MAX),
  byteSize: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, "must be greater than 0"),
    v.maxValue(UPLOAD_BYTES_MAX, "is too large (maximum is 5 MB)"),
  ),
  /** MD5 in Base64. */
  checksum: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{22}==$/)),
  /** Uploads are pictures. What it is, its bytes say when they arrive. */
  contentType: v.pipe(
    v.string(),
    v.trim(),
    v.toLowerCase(),
    v.regex(/^image\/(png|p?jpe?g|webp|gif)$/, NO_PICTURE),
  ),
  /** Accepted for Active Storage's client, and ignored. */
  metadata: v.optional(v.record(v.string(), v.unknown())),
});
export type DirectUploadBody = v.InferOutput<typeof directUploadBody>;

/**
 * An announced upload. The answer also has the keys of Active Storage's client, in snake_case. They are not described: generated
 * clients make one name of `direct_upload` and `directUpload`, and do not compile with both.
 */
export const directUploadAnswer = v.looseObject({
  id: v.number(),
  key: v.string(),
  filename: v.string(),
  checksum: v.string(),
  contentType: v.string(),
  byteSize: v.number(),
  createdAt: v.string(),
  signedId: v.string(),
  directUpload: v.object({ url: v.string(), headers: v.record(v.string(), v.string()) }),
});
export type DirectUploadAnswer = v.InferOutput<typeof directUploadAnswer>;

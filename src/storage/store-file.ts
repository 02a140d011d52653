import type { Deps } from "#src/base/deps.ts";
import { checkInput } from "#src/http/check-input.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { announceUpload } from "./announce-upload.ts";
import { signUpload } from "./present-direct-upload.ts";
import { directUploadBody } from "./schemas.ts";
import { keepBytes, md5Of } from "./store-upload.ts";

/**
 * Keeps a file that came with a form, as if it had been uploaded before.
 * @returns the signed id by which it can be attached.
 * Refuses what a direct upload would be refused for: 401, 403, 422, 429.
 */
export async function storeFile(
  deps: Pick<Deps, "env" | "pool" | "redis" | "store">,
  visit: Authentication,
  file: File,
): Promise<string> {
  const announced = checkInput(directUploadBody, {
    filename: file.name || "file",
    byteSize: file.size,
    contentType: file.type || undefined,
    checksum: md5Of(await file.bytes()),
  });
  const blob = await announceUpload(deps, visit, announced);
  await keepBytes(deps, blob, await file.bytes());
  return signUpload(deps.env, blob.id, new Date());
}

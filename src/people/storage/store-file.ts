import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { checkInput } from "#src/http/check-input.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { announceUpload } from "./announce-upload.ts";
import { signUpload } from "./present-direct-upload.ts";
import { directUploadBody } from "./schemas.ts";
import { storeBytes, md5Of } from "./store-upload.ts";

/**
 * Stores a file from a submitted form like a direct upload.
 * @returns the signed id by which it can be attached.
 * @throws Refusal 401, 403, 422 or 429, as a direct upload.
 */
export async function storeFile(
  deps: Pick<Deps, "env" | "pool" | "redis" | "store">,
  authentication: Authentication,
  file: File,
): Promise<string> {
  const announcement = checkInput(directUploadBody, {
    filename: file.name || "file",
    byteSize: file.size,
    contentType: file.type || undefined,
    checksum: md5Of(await file.bytes()),
  });
  const blob = await announceUpload(deps, authentication, announcement);
  await storeBytes(deps, blob, await file.bytes());
  return signUpload(deps.env, blob.id, serverNow());
}

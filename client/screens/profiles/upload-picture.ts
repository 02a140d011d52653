import { DIRECT_UPLOADS_PATH } from "#src/people/storage/contract.ts";
import * as texts from "./profile-texts.ts";

const TOO_MANY = 429;

/** A failed upload. The message is shown to the user. */
export class UploadFailed extends Error {
  override readonly name = "UploadFailed";
}

/**
 * Uploads a file with Active Storage's public client.
 * @param onProgress called with the share that is sent, from 0 to 1.
 * @returns the signed id of the upload.
 * @throws UploadFailed
 */
export async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<string> {
  const { DirectUpload } = await import("@rails/activestorage");
  let last: XMLHttpRequest | undefined;
  const delegate = {
    directUploadWillCreateBlobWithXHR: (xhr: XMLHttpRequest) => {
      last = xhr;
    },
    directUploadWillStoreFileWithXHR: (xhr: XMLHttpRequest) => {
      last = xhr;
      xhr.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    },
  };
  return new Promise((resolve, reject) => {
    new DirectUpload(file, DIRECT_UPLOADS_PATH, delegate).create((error, blob) => {
      if (error === null && blob !== undefined) resolve(blob.signed_id);
      else reject(new UploadFailed(reasonOf(last?.status ?? 0)));
    });
  });
}

function reasonOf(status: number): string {
  if (status === 0) return texts.serverUnreachable;
  if (status === TOO_MANY) return texts.tooManyUploads;
  return texts.uploadFailed;
}

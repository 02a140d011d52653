import type { StoredAvatar } from "#src/people/avatars/present-avatar.ts";
import { keyFingerprint, signId } from "#src/people/storage/signed-id.ts";
import type { Env } from "#src/settings/env.ts";

/**
 * Makes the permanent public addresses of the sizes. They are stored in the user's row, so that a list of a hundred users
 * needs neither a join nor a signature per size. They are signed with the secret key; after a change of the key the
 * sweep signs them again (`signer` names the key).
 */
export function signPictures(
  { secretKey }: Pick<Env, "secretKey">,
  blobIds: Readonly<Record<string, number>>,
): Pick<StoredAvatar, "signer" | "pictures"> {
  const addressed = Object.entries(blobIds).map(([size, id]) => {
    const signedId = signId(secretKey, { id, purpose: "blob", expiresAt: null });
    return [size, `/api/v1/storage/blobs/${signedId}/${size}.webp`] as const;
  });
  return { signer: keyFingerprint(secretKey), pictures: Object.fromEntries(addressed) };
}

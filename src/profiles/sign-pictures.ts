import type { Env } from "#src/settings/env.ts";
import type { AvatarSize, StoredAvatar } from "#src/sign-ins/present-avatar.ts";
import { keyFingerprint, signId } from "#src/storage/signed-id.ts";

/**
 * Makes the permanent public addresses of the sizes. They are stored in the user's row, so that a list of a hundred users
 * needs neither a join nor a signature per size. They are signed with the secret key; after a change of the key the
 * sweep signs them again (`signer` names the key).
 */
export function signPictures(
  { secretKey }: Pick<Env, "secretKey">,
  sizes: Record<AvatarSize, number>,
): Pick<StoredAvatar, "signer" | "pictures"> {
  const addressOf = (size: AvatarSize) => {
    const signedId = signId(secretKey, { id: sizes[size], purpose: "blob", expiresAt: null });
    return `/api/v1/storage/blobs/${signedId}/${size}.webp`;
  };
  return {
    signer: keyFingerprint(secretKey),
    pictures: {
      thumb: addressOf("thumb"),
      small: addressOf("small"),
      medium: addressOf("medium"),
      large: addressOf("large"),
      original: addressOf("original"),
    },
  };
}

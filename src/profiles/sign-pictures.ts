import type { Env } from "#src/settings/env.ts";
import type { AvatarSize, StoredAvatar } from "#src/sign-ins/present-avatar.ts";
import { signerName, signId } from "#src/storage/signed-id.ts";

/** The addresses of the sizes, which everybody may open for good. */
export function signPictures(
  { secretKey }: Pick<Env, "secretKey">,
  sizes: Record<AvatarSize, number>,
): Pick<StoredAvatar, "signer" | "pictures"> {
  const addressOf = (size: AvatarSize) => {
    const signedId = signId(secretKey, { id: sizes[size], purpose: "blob", expiresAt: null });
    return `/api/v1/storage/blobs/${signedId}/${size}.webp`;
  };
  return {
    signer: signerName(secretKey),
    pictures: {
      thumb: addressOf("thumb"),
      small: addressOf("small"),
      medium: addressOf("medium"),
      large: addressOf("large"),
      original: addressOf("original"),
    },
  };
}

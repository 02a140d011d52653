import { type AvatarSize, avatarSides } from "#src/sign-ins/present-avatar.ts";
import { openPicture, type PictureSize } from "./check-picture.ts";
import type { Crop } from "./schemas.ts";

const ORIGINAL_SIDE_PX_MAX = 2_048;
const QUALITY = 82;

export const AVATAR_TYPE = "image/webp";

/**
 * Encodes a picture anew in all sizes, as WebP and without a word about where and by what it was taken.
 * @param crop the square that the small ones show, in the picture's own pixels.
 */
export async function encodeAvatar(bytes: Uint8Array, crop: Crop): Promise<Record<AvatarSize, Uint8Array>> {
  const square = await (
    await openPicture(bytes)
  )
    .extract({ left: crop.x, top: crop.y, width: crop.size, height: crop.size })
    .resize(avatarSides.large, avatarSides.large)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const side = async (px: number) =>
    (await openPicture(square)).resize(px, px).webp({ quality: QUALITY }).toBuffer();
  const original = (await openPicture(bytes))
    .resize(ORIGINAL_SIDE_PX_MAX, ORIGINAL_SIDE_PX_MAX, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
  return {
    thumb: await side(avatarSides.thumb),
    small: await side(avatarSides.small),
    medium: await side(avatarSides.medium),
    large: await side(avatarSides.large),
    original: await original,
  };
}

/** The largest square in the middle: what is shown where nobody chose. */
export function centreOf({ width, height }: PictureSize): Crop {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

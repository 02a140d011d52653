import { type AvatarSize, avatarSides } from "#src/sign-ins/present-avatar.ts";
import { openPicture, type PictureSize } from "./check-picture.ts";
import type { Crop } from "./schemas.ts";

const ORIGINAL_SIDE_PX_MAX = 2_048;
const QUALITY = 82;

export const AVATAR_TYPE = "image/webp";

/**
 * Re-encodes a picture in all sizes, as WebP and without its metadata (camera, location).
 * @param crop the square that the square sizes show, in pixels of the picture. `original` shows the whole picture.
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

/** The largest square in the middle: the default crop. */
export function centredSquare({ width, height }: PictureSize): Crop {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

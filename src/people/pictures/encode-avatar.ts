import { type AvatarSize, avatarSquares } from "#db/lists/avatars.ts";
import type { Crop } from "#src/people/avatars/schemas.ts";
import { openPicture, type PictureSize } from "./check-picture.ts";

const ORIGINAL_SIDE_PX_MAX = 2_048;
/** The largest size: all others are made from it. */
const SQUARE_SIDE_PX = Math.max(...avatarSquares.map(({ sidePx }) => sidePx));
const QUALITY = 82;

export const AVATAR_TYPE = "image/webp";

export type EncodedSize = { size: AvatarSize; bytes: Uint8Array };

/**
 * Re-encodes a picture in all sizes, as WebP and without its metadata (camera, location).
 * @param crop the square that the square sizes show, in pixels of the picture. `original` shows the whole picture.
 */
export async function encodeAvatar(bytes: Uint8Array, crop: Crop): Promise<EncodedSize[]> {
  const square = await (
    await openPicture(bytes)
  )
    .extract({ left: crop.x, top: crop.y, width: crop.size, height: crop.size })
    .resize(SQUARE_SIDE_PX, SQUARE_SIDE_PX)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const original = (await openPicture(bytes))
    .resize(ORIGINAL_SIDE_PX_MAX, ORIGINAL_SIDE_PX_MAX, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
  const encoded: EncodedSize[] = [];
  for (const { size, sidePx } of avatarSquares) {
    const resized = (await openPicture(square)).resize(sidePx, sidePx);
    encoded.push({ size, bytes: await resized.webp({ quality: QUALITY }).toBuffer() });
  }
  return [...encoded, { size: "original", bytes: await original }];
}

/** The largest square in the middle: the default crop. */
export function centredSquare({ width, height }: PictureSize): Crop {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

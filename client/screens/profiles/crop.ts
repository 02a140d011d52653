import type { Crop } from "#src/people/avatars/schemas.ts";

/** A picture's size in pixels, after its rotation is applied. */
export type Size = { width: number; height: number };

/** In pixels. A smaller square would be blurred. */
const SIDE_MIN = 48;

/** The least and the greatest side of a square in the picture. */
export function sidesOf({ width, height }: Size): { min: number; max: number } {
  const max = Math.min(width, height);
  return { min: Math.min(SIDE_MIN, max), max };
}

/** The largest square in the middle of the picture. */
export function centredIn(picture: Size): Crop {
  const { max: size } = sidesOf(picture);
  return clampInto({ x: (picture.width - size) / 2, y: (picture.height - size) / 2, size }, picture);
}

/** The square moved, limited by the edges. */
export function movedBy(crop: Crop, by: { x: number; y: number }, picture: Size): Crop {
  return clampInto({ ...crop, x: crop.x + by.x, y: crop.y + by.y }, picture);
}

/** The square with another side around the same centre, limited by the edges. */
export function resizedTo(crop: Crop, side: number, picture: Size): Crop {
  const { min, max } = sidesOf(picture);
  const size = Math.round(clamp(min, side, max));
  const grown = (size - crop.size) / 2;
  return clampInto({ x: crop.x - grown, y: crop.y - grown, size }, picture);
}

function clampInto({ x, y, size }: Crop, { width, height }: Size): Crop {
  return {
    x: Math.round(clamp(0, x, width - size)),
    y: Math.round(clamp(0, y, height - size)),
    size,
  };
}

function clamp(min: number, value: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}

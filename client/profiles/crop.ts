import type { Crop } from "#src/profiles/schemas.ts";

/** Pixels of a picture as it is seen. */
export type Size = { width: number; height: number };

/** A smaller square would only show its pixels. */
const SIDE_MIN = 48;

/** The sides that a square in the picture may have. */
export function sidesOf({ width, height }: Size): { min: number; max: number } {
  const max = Math.min(width, height);
  return { min: Math.min(SIDE_MIN, max), max };
}

/** The largest square in the middle. */
export function centredIn(picture: Size): Crop {
  const { max: size } = sidesOf(picture);
  return inside({ x: (picture.width - size) / 2, y: (picture.height - size) / 2, size }, picture);
}

/** The square moved, as far as the edges let it. */
export function movedBy(crop: Crop, by: { x: number; y: number }, picture: Size): Crop {
  return inside({ ...crop, x: crop.x + by.x, y: crop.y + by.y }, picture);
}

/** The square with another side, around the same middle as far as the edges let it. */
export function resizedTo(crop: Crop, side: number, picture: Size): Crop {
  const { min, max } = sidesOf(picture);
  const size = Math.round(between(min, side, max));
  const grown = (size - crop.size) / 2;
  return inside({ x: crop.x - grown, y: crop.y - grown, size }, picture);
}

function inside({ x, y, size }: Crop, { width, height }: Size): Crop {
  return {
    x: Math.round(between(0, x, width - size)),
    y: Math.round(between(0, y, height - size)),
    size,
  };
}

function between(min: number, value: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}

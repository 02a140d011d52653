/** The longest side of an avatar's picture, in pixels. */
export const PICTURE_SIDE_MAX = 10_000;
/** How many drawn faces there are. They have the numbers from 1. */
export const FACES_COUNT = 24;

export function facePath(face: number): string {
  return `/api/v1/faces/${face}`;
}

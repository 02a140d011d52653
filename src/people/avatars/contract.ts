/** The longest side of an avatar's picture, in pixels. */
export const PICTURE_SIDE_MAX = 10_000;

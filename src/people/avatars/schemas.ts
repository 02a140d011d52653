import * as v from "valibot";
import { avatarSizes } from "#db/lists/avatars.ts";
import { wholeNumber } from "#src/http/schemas.ts";
import { FACES_COUNT, PICTURE_SIDE_MAX } from "./contract.ts";

/** Image addresses by size; null if the player has no picture, and initials are drawn. */
export const avatarSchema = v.object(
  v.entriesFromList(["default" as const, ...avatarSizes], v.nullable(v.string())),
);
export type Avatar = v.InferOutput<typeof avatarSchema>;

export const faceField = wholeNumber(1, FACES_COUNT);

/** Pixels of a picture are counted from 0. */
const pixel = v.pipe(v.number(), v.integer(), v.minValue(0), v.ltValue(PICTURE_SIDE_MAX));
/** A square in pixels of the picture: its upper left corner and its side. */
export const cropSchema = v.strictObject({ x: pixel, y: pixel, size: wholeNumber(1, PICTURE_SIDE_MAX) });
export type Crop = v.InferOutput<typeof cropSchema>;

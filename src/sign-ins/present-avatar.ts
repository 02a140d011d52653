import * as v from "valibot";
import type { Avatar } from "./schemas.ts";

const sizes = ["thumb", "small", "medium", "large", "original"] as const;
export type AvatarSize = (typeof sizes)[number];

/** What `users.avatar` holds: the sizes that are shown, and what it takes to replace them. */
const storedAvatar = v.object({
  /** Goes up with every change; a page keeps what it has when that is newer. */
  revision: v.number(),
  /** Who signed the addresses; see signerName. */
  signer: v.string(),
  /** The files of the sizes, and their addresses; null where there is no picture. */
  blobIds: v.nullable(v.object(v.entriesFromList(sizes, v.number()))),
  pictures: v.nullable(v.object(v.entriesFromList(sizes, v.string()))),
});
export type StoredAvatar = v.InferOutput<typeof storedAvatar>;

/** The sizes that are made of a picture, in pixels a side; the original keeps its own. */
export const avatarSides = { thumb: 48, small: 96, medium: 128, large: 256 } as const;

const none: Avatar = { default: null, thumb: null, small: null, medium: null, large: null, original: null };

/**
 * The pictures of a user, everywhere a user is shown; initials are drawn where there are none.
 * @param stored the column `users.avatar`, as the database gives it.
 */
export function presentAvatar(stored: unknown): Avatar {
  const pictures = readAvatar(stored)?.pictures ?? null;
  return pictures === null ? none : { default: pictures.medium, ...pictures };
}

/** The column `users.avatar`; null where it was never written. */
export function readAvatar(stored: unknown): StoredAvatar | null {
  return stored === null ? null : v.parse(storedAvatar, stored);
}

import * as v from "valibot";
import type { Avatar } from "./schemas.ts";

export const avatarSizes = ["thumb", "small", "medium", "large", "original"] as const;
export type AvatarSize = (typeof avatarSizes)[number];

// Decision: the addresses of an avatar are stored in the user's row. So a list of a hundred users needs no signatures and no
// other tables. The addresses are signed with the secret; the sweep renews addresses that another secret has signed.

/** The content of `users.avatar`: the addresses of all sizes, and the files behind them. */
const storedAvatar = v.object({
  /** Increases with every change, so that a page can ignore an older avatar. */
  revision: v.number(),
  /** Identifies the secret that signed the addresses; see signerName. */
  signer: v.string(),
  /** The ids of the files, and their addresses, by size; null without a picture. */
  blobIds: v.nullable(v.object(v.entriesFromList(avatarSizes, v.number()))),
  pictures: v.nullable(v.object(v.entriesFromList(avatarSizes, v.string()))),
});
export type StoredAvatar = v.InferOutput<typeof storedAvatar>;

/** The side lengths of the sizes, in pixels. The original keeps its own size. */
export const avatarSides = { thumb: 48, small: 96, medium: 128, large: 256 } as const;

const none: Avatar = { default: null, thumb: null, small: null, medium: null, large: null, original: null };

/**
 * The picture addresses of a user by size. All are null without a picture; the pages then draw initials.
 * @param stored the value of the column `users.avatar`.
 */
export function presentAvatar(stored: unknown): Avatar {
  const pictures = readAvatar(stored)?.pictures ?? null;
  return pictures === null ? none : { default: pictures.medium, ...pictures };
}

/** Parses the value of the column `users.avatar`; null if it was never set. */
export function readAvatar(stored: unknown): StoredAvatar | null {
  return stored === null ? null : v.parse(storedAvatar, stored);
}

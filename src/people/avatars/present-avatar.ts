import * as v from "valibot";
import { type AvatarSize, avatarSizes } from "#db/lists/avatars.ts";
import { facePath } from "./contract.ts";
import type { Avatar } from "./schemas.ts";

// Decision: the addresses of an avatar are stored in the user's row. So a list of a hundred users needs no signatures and no
// other tables. The addresses are signed with the secret; the sweep renews addresses that another secret has signed.

/**
 * The content of `users.avatar`: the addresses of all sizes, and the files behind them. A row has the sizes of the release that
 * wrote it, so a stored size need not be one of today's, and one of today's may be missing.
 */
const storedAvatar = v.looseObject({
  /** Increases with every change, so that a page can ignore an older avatar. */
  revision: v.fallback(v.number(), 0),
  /** Identifies the secret that signed the addresses; see signerName. */
  signer: v.fallback(v.string(), ""),
  /** The ids of the files, and their addresses, by size; null without a picture. */
  blobIds: v.fallback(v.nullable(v.record(v.string(), v.number())), null),
  pictures: v.fallback(v.nullable(v.record(v.string(), v.string())), null),
});
export type StoredAvatar = v.InferOutput<typeof storedAvatar>;
/**
 * The picture addresses of a user by size. A size that was not stored has the address of the nearest one. All are null without a
 * picture; the pages then draw initials.
 * @param stored the value of the column `users.avatar`.
 */
export function presentAvatar(stored: unknown): Avatar {
  const pictures = readAvatar(stored)?.pictures ?? null;
  // Most players have none, and a page shows many players.
  const addressOf = (size: AvatarSize) =>
    pictures === null ? null : (pictures[size] ?? nearestOf(pictures, size));
  return {
    default: addressOf("medium"),
    thumb: addressOf("thumb"),
    small: addressOf("small"),
    medium: addressOf("medium"),
    large: addressOf("large"),
    original: addressOf("original"),
  };
}

/** The address of the next larger size that was stored, or else of the next smaller one. */
function nearestOf(pictures: NonNullable<StoredAvatar["pictures"]>, size: AvatarSize): string | null {
  const at = avatarSizes.indexOf(size);
  const byNearness = [...avatarSizes.slice(at), ...avatarSizes.slice(0, at).toReversed()];
  const nearest = byNearness.find((each) => pictures[each] !== undefined);
  return nearest === undefined ? null : (pictures[nearest] ?? null);
}

/** What the column `users.avatar` holds for a drawn face: one address for all sizes, which nobody signs. */
export function storedFace(face: number, revision: number): Omit<StoredAvatar, "signer"> {
  return { revision, blobIds: null, pictures: { original: facePath(face) } };
}

/** Reads the value of the column `users.avatar`; null if it was never set. */
export function readAvatar(stored: unknown): StoredAvatar | null {
  return stored === null ? null : v.parse(storedAvatar, stored);
}

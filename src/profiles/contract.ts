import * as v from "valibot";
import { callShape } from "#src/calls/contract.ts";
import { listMeta, moment, rowId, textBlock } from "#src/http/contract.ts";
import { avatarShape, roles, userFields } from "#src/users/contract.ts";
import { walletShape } from "#src/wallet/contract.ts";

/** How many of the newest calls a user's own answer carries; the rest is behind GET /api/v1/calls. */
export const OWN_CALLS_MAX = 50;

/** A user as GET /api/v1/users/me and /api/v1/users/:id answer it. */
export const profileShape = v.object({
  ...userFields,
  confirmedAt: v.nullable(moment),
  /** After too many wrong passwords; null where the account is open. */
  lockedAt: v.nullable(moment),
  deactivatedAt: v.nullable(moment),
  wallet: walletShape,
  /** Newest first, at most 50. */
  calls: v.array(callShape),
  /** The sessions joined, newest first, at most 50. */
  sessions: v.array(v.object({ id: rowId, slug: v.string(), name: v.string() })),
  notifications: v.array(v.unknown()),
});
export type ProfileView = v.InferOutput<typeof profileShape>;
export const profileAnswer = v.object({ user: profileShape });
export type ProfileAnswer = v.InferOutput<typeof profileAnswer>;

/** `?search=ana` on the list of users. */
export const usersQuery = v.object({ search: v.optional(textBlock(254)) });

/** A user in the admins' list. */
const userRow = v.object({
  id: rowId,
  gid: v.string(),
  email: v.nullable(v.string()),
  username: v.string(),
  avatar: avatarShape,
  roles: v.array(v.picklist(roles)),
  guest: v.boolean(),
  lockedAt: v.nullable(moment),
  deactivatedAt: v.nullable(moment),
  createdAt: moment,
});
export type UserRow = v.InferOutput<typeof userRow>;
export const usersAnswer = v.object({ users: v.array(userRow), meta: listMeta });
export type UsersAnswer = v.InferOutput<typeof usersAnswer>;

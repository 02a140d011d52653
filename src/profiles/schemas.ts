import * as v from "valibot";
import { roles } from "#db/lists/users.ts";
import { listMeta, moment, money, rowId, textBlock } from "#src/http/schemas.ts";
import { walletSchema } from "#src/money/wallet/schemas.ts";
import { avatarSchema, cropSchema, faceField } from "#src/people/avatars/schemas.ts";
import { notificationSchema } from "#src/people/notifications/schemas.ts";
import { assertion } from "#src/people/passkeys/schemas.ts";
import { EMAIL_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { ownPasswordBody, usernameField } from "#src/people/users/schemas.ts";
import { callSchema } from "#src/play/calls/schemas.ts";
import { seasonSchema } from "#src/play/seasons/schemas.ts";
import { userGroups, userOrders } from "./contract.ts";

const userFields = {
  id: rowId,
  gid: v.string(),
  email: v.nullable(v.string()),
  username: v.string(),
  avatar: avatarSchema,
  roles: v.array(v.picklist(roles)),
  guest: v.boolean(),
  /** When too many wrong passwords locked the account; null where it is not locked. */
  lockedAt: v.nullable(moment),
  deactivatedAt: v.nullable(moment),
  /** The account that a guest is a part of now. */
  mergedInto: v.nullable(rowId),
  createdAt: moment,
};

/** A user in the answers of GET /api/v1/users/me and /api/v1/users/:id. */
export const profileSchema = v.object({
  ...userFields,
  phone: v.nullable(v.string()),
  notificationCount: v.number(),
  updatedAt: moment,
  /** True while the sizes of a new picture do not exist yet. */
  avatarPending: v.boolean(),
  confirmedAt: v.nullable(moment),
  /** Signs in as a person of the provider of OpenID Connect. */
  linked: v.boolean(),
  /** Until when the user is on a break; null for none. */
  breakUntil: v.nullable(moment),
  /** Increases when the name, an address or the roles change, and when the account is locked, unlocked, deactivated or reactivated. */
  version: v.number(),
  wallet: walletSchema,
  /** Newest first, at most 50. */
  calls: v.array(callSchema),
  /** The sessions joined, newest first, at most 50. */
  sessions: v.array(v.object({ id: rowId, slug: v.string(), name: v.string() })),
  /** The newest, read or not; empty where an admin reads another user. `notificationCount` counts the unread. */
  notifications: v.array(notificationSchema),
});
export type ProfileView = v.InferOutput<typeof profileSchema>;
export const profileAnswer = v.object({ user: profileSchema });
export type ProfileAnswer = v.InferOutput<typeof profileAnswer>;

export const recordsSchema = v.object({
  /** The most events in a row that the player was right about, over all shows: from the first until the last. Null before the first. */
  longestStreak: v.nullable(v.object({ length: v.number(), from: moment, until: moment })),
  /** The show with the largest net above zero, and when its last result came. */
  bestNight: v.nullable(
    v.object({
      ...money("net"),
      wins: v.number(),
      losses: v.number(),
      at: moment,
      /** Null for a private show. */
      session: v.nullable(v.object({ slug: v.string(), name: v.string() })),
    }),
  ),
  /** The ranks in the newest seasons, the newest first. */
  seasons: v.array(
    v.object({
      season: seasonSchema,
      rank: v.number(),
      /** Another player has the same rank. */
      tied: v.boolean(),
      playersCount: v.number(),
      ...money("net"),
    }),
  ),
});
export type RecordsView = v.InferOutput<typeof recordsSchema>;
export const recordsAnswer = v.object({ records: recordsSchema });

/** A phone number in E.164 form, "+14155550100". Spaces, dots, dashes and parentheses are removed; null for none. */
const phoneField = v.pipe(
  v.nullable(v.string()),
  v.transform((text) => (text ?? "").replaceAll(/[\s().-]/g, "")),
  v.regex(/^(\+[1-9]\d{6,14})?$/),
  v.transform((number) => (number === "" ? null : number)),
);

/** Body of PATCH /api/v1/users/:id under `user`. Omitted fields do not change. */
export const profileChange = v.strictObject({
  username: v.optional(usernameField),
  phone: v.optional(phoneField),
  /** The signed id of one of the user's uploads; null removes the picture. */
  avatar: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
  /** The number of a drawn face, in the place of a picture. */
  face: v.optional(faceField),
  /** The part of the picture to show; by default the largest square in the middle. */
  crop: v.optional(cropSchema),
});
export type ProfileChange = v.InferOutput<typeof profileChange>;

export const deleteAccountBody = v.strictObject({
  currentPassword: v.optional(ownPasswordBody.entries.currentPassword),
  /** The answer to the challenge of POST /api/v1/users/me/passkeys/confirmation. */
  credential: v.optional(assertion),
});
export type DeleteAccountBody = v.InferOutput<typeof deleteAccountBody>;

/** `?search=ana&role=guest&order=name` on the list of users. */
export const usersQuery = v.object({
  search: v.optional(textBlock(EMAIL_LENGTH_MAX)),
  role: v.optional(v.picklist(userGroups, "is invalid")),
  order: v.optional(v.picklist(userOrders, "is invalid")),
});
export type UsersQuery = v.InferOutput<typeof usersQuery>;

export const userRow = v.object({
  ...userFields,
  /** When the user was last seen; null if that is longer ago than sign-ins are kept. */
  lastVisitAt: v.nullable(moment),
});
export type UserRow = v.InferOutput<typeof userRow>;
export const usersAnswer = v.object({ users: v.array(userRow), meta: listMeta });
export type UsersAnswer = v.InferOutput<typeof usersAnswer>;

import * as v from "valibot";
import { callShape } from "#src/calls/contract.ts";
import { rowId } from "#src/http/contract.ts";
import { userFields } from "#src/users/contract.ts";
import { walletShape } from "#src/wallet/contract.ts";

/** How many of the newest calls a user's own answer carries; the rest is behind GET /api/v1/calls. */
export const OWN_CALLS_MAX = 50;

/** A user as GET /api/v1/users/me answers it. */
export const profileShape = v.object({
  ...userFields,
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

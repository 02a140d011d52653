import * as v from "valibot";
import { roles } from "#db/lists/users.ts";
import { isStorable } from "#src/http/contract.ts";
import { atMost, moment, rowId } from "#src/http/schemas.ts";
import { cleanLine } from "#src/http/texts/contract.ts";
import { avatarSchema } from "#src/people/avatars/schemas.ts";
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from "./contract.ts";

/** The signed-in user as the app gets it: in meta tags, data attributes and the answer of the sign-in. */
export const viewerSchema = v.object({
  id: rowId,
  gid: v.string(),
  email: v.nullable(v.string()),
  username: v.string(),
  avatar: avatarSchema,
  roles: v.array(v.picklist(roles)),
  /** The ids of the sessions whose host the user is: in them the user counts as an admin. */
  hostOf: v.array(rowId),
  guest: v.boolean(),
  /** Until when the user is on a break; null for none. */
  breakUntil: v.nullable(moment),
});
export type ViewerView = v.InferOutput<typeof viewerSchema>;
export const viewerAnswer = v.object({ user: viewerSchema });

export const signInSchema = v.object({
  id: v.string(),
  current: v.boolean(),
  address: v.nullable(v.string()),
  /** "Firefox on Linux" */
  browser: v.string(),
  remembered: v.boolean(),
  createdAt: moment,
  lastSeenAt: moment,
});
export type SignInView = v.InferOutput<typeof signInSchema>;

/** A checkbox of a form, or a boolean. False if it is not sent. */
export const tickedField = v.optional(
  v.union([
    v.boolean(),
    v.pipe(
      v.string(),
      v.transform((value) => value === "1" || value === "on" || value === "true"),
    ),
  ]),
  false,
);

/** The password that a user has. */
export const passwordField = v.pipe(
  v.string("can't be blank"),
  v.nonEmpty("can't be blank"),
  ...atMost(PASSWORD_LENGTH_MAX, "is invalid"),
);

export const signInBody = v.strictObject({
  email: v.pipe(
    v.string("can't be blank"),
    v.transform(cleanLine),
    v.toLowerCase(),
    v.nonEmpty("can't be blank"),
    v.maxLength(EMAIL_LENGTH_MAX, "is invalid"),
    v.check(isStorable),
  ),
  password: passwordField,
  /** Whether the sign-in outlasts the browser. */
  rememberMe: tickedField,
  /** Whether the guest who is signed in at this browser becomes a part of the account. */
  mergeGuest: tickedField,
});
export type SignInBody = v.InferOutput<typeof signInBody>;

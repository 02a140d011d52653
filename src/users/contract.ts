import * as v from "valibot";
import { moment, rowId } from "#src/http/contract.ts";

export const roles = ["admin", "operator"] as const;
export type Role = (typeof roles)[number];

/** Image addresses by size; null where the player has no picture and initials are drawn. */
export const avatarShape = v.object({
  default: v.nullable(v.string()),
  thumb: v.nullable(v.string()),
  small: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  large: v.nullable(v.string()),
  original: v.nullable(v.string()),
});
export type Avatar = v.InferOutput<typeof avatarShape>;

/** The signed-in user as the app knows it: meta tags, data attributes, sign-in's answer. */
export const viewerShape = v.object({
  id: rowId,
  gid: v.string(),
  email: v.nullable(v.string()),
  username: v.string(),
  roles: v.array(v.picklist(roles)),
  guest: v.boolean(),
});
export type ViewerView = v.InferOutput<typeof viewerShape>;

const EMAIL_LENGTH_MAX = 254;

/** An email address as it is kept: lower-cased, without the blanks around it. */
export const emailField = v.pipe(
  v.string("can't be blank"),
  v.trim(),
  v.toLowerCase(),
  v.nonEmpty("can't be blank"),
  v.maxLength(EMAIL_LENGTH_MAX),
  v.email(),
);

/** Names that would pass for us, or for nobody. */
const reservedUsernames = new Set(
  `about account admin administrator anonymous api bank called_it calledit cashier dashboard deleted everyone guest help
  host house info mail me moderator nobody null official operator owner profile robot root security session sessions
  settings staff superuser support system team undefined user users wallet webmaster you`.split(/\s+/),
);
/** How the names begin that we give ourselves: to guests, and to those who are gone. */
const reservedPrefix = /^(guest|gone)_/;

/** A username of one's own choice. Whether somebody has it already is only known to the database. */
export const usernameField = v.pipe(
  v.string("can't be blank"),
  v.trim(),
  v.nonEmpty("can't be blank"),
  v.minLength(3),
  v.maxLength(20),
  v.regex(/^\w+$/),
  v.check((name) => !isReserved(name.toLowerCase()), "is reserved"),
);
const isReserved = (name: string) => reservedUsernames.has(name) || reservedPrefix.test(name);

/** A password that somebody chooses; see refuseCommonPassword for what is too easily guessed. */
export const newPasswordField = v.pipe(
  v.string("can't be blank"),
  v.nonEmpty("can't be blank"),
  v.minLength(8),
  v.maxLength(128),
);

/** Body of POST /users/guest_registration under `user`. */
export const registrationBody = v.pipe(
  v.strictObject({
    email: emailField,
    username: usernameField,
    password: newPasswordField,
    passwordConfirmation: v.string("can't be blank"),
  }),
  v.forward(
    v.partialCheck(
      [["password"], ["passwordConfirmation"]],
      (form) => form.password === form.passwordConfirmation,
      "doesn't match",
    ),
    ["passwordConfirmation"],
  ),
);
export type RegistrationBody = v.InferOutput<typeof registrationBody>;

/** Body of POST /users/sign_in under `user`. */
export const signInBody = v.strictObject({
  email: v.pipe(
    v.string("can't be blank"),
    v.trim(),
    v.toLowerCase(),
    v.nonEmpty("can't be blank"),
    v.maxLength(254, "is invalid"),
  ),
  password: v.pipe(v.string("can't be blank"), v.nonEmpty("can't be blank"), v.maxLength(128, "is invalid")),
  rememberMe: v.optional(
    v.union([
      v.boolean(),
      v.pipe(
        v.string(),
        v.transform((value) => value === "1" || value === "on" || value === "true"),
      ),
    ]),
    false,
  ),
});
export type SignInBody = v.InferOutput<typeof signInBody>;

/** The fields of a user that the users themselves own; src/profiles adds the wallet, calls and sessions. */
export const userFields = {
  id: rowId,
  gid: v.string(),
  email: v.nullable(v.string()),
  username: v.string(),
  phone: v.nullable(v.string()),
  avatar: avatarShape,
  roles: v.array(v.picklist(roles)),
  guest: v.boolean(),
  notificationCount: v.number(),
  createdAt: moment,
  updatedAt: moment,
};

import * as v from "valibot";
import { moment, rowId, textBlock } from "#src/http/contract.ts";
import { avatarShape, roles, signInShape } from "#src/sign-ins/contract.ts";

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

/** Body of POST /users/password, /users/confirmation and /users/unlock under `user`: where the mail is to go. */
export const askForMailBody = v.strictObject({ email: emailField });

/** The secrets in the links of mails, each under its name in the query. */
export const resetPasswordQuery = v.object({ resetPasswordToken: v.optional(v.string()) });
export const confirmationQuery = v.object({ confirmationToken: v.optional(v.string(), "") });
export const unlockQuery = v.object({ unlockToken: v.optional(v.string(), "") });

const currentPassword = v.pipe(
  v.string("can't be blank"),
  v.nonEmpty("can't be blank"),
  v.maxLength(128, "is invalid"),
);
/** A new password, typed twice. */
const newPassword = { password: newPasswordField, passwordConfirmation: v.string("can't be blank") };
const isTypedTwice = (form: { password: string; passwordConfirmation: string }) =>
  form.password === form.passwordConfirmation;

/** Body of PUT /users/password under `user`. */
export const resetPasswordBody = v.pipe(
  v.strictObject({ resetPasswordToken: v.optional(v.string()), ...newPassword }),
  v.forward(v.partialCheck([["password"], ["passwordConfirmation"]], isTypedTwice, "doesn't match"), [
    "passwordConfirmation",
  ]),
);

/** Body of PUT /api/v1/users/me/password under `user`. */
export const passwordChangeBody = v.pipe(
  v.strictObject({ currentPassword, ...newPassword }),
  v.forward(v.partialCheck([["password"], ["passwordConfirmation"]], isTypedTwice, "doesn't match"), [
    "passwordConfirmation",
  ]),
);
export type PasswordChange = v.InferOutput<typeof passwordChangeBody>;

/** Body of PUT /api/v1/users/me/email under `user`. */
export const emailChangeBody = v.strictObject({ email: emailField, currentPassword });
export type EmailChange = v.InferOutput<typeof emailChangeBody>;

/** Body of PUT /api/v1/users/me/deactivate under `user`. */
export const ownPasswordBody = v.strictObject({ currentPassword });

/** What is said where something was done that has no other answer. */
export const messageAnswer = v.object({ message: v.string() });
export type MessageAnswer = v.InferOutput<typeof messageAnswer>;

/** Answer of GET /api/v1/users/me/account. */
export const accountAnswer = v.object({
  account: v.object({
    email: v.nullable(v.string()),
    confirmed: v.boolean(),
    /** The address that was asked for and is not confirmed yet. */
    pendingEmail: v.nullable(v.string()),
  }),
  signIns: v.array(signInShape),
});
export type AccountAnswer = v.InferOutput<typeof accountAnswer>;

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

const reason = v.optional(textBlock(500));
/** Body of PUT /api/v1/users/:id/unlock, /deactivate and /reactivate under `user`; it may be left out. */
export const manageUserBody = v.strictObject({ reason });
/** Body of PUT /api/v1/users/:id/roles under `user`. */
export const changeRolesBody = v.strictObject({ roles: v.array(v.picklist(roles, "is invalid")), reason });

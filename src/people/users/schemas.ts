import * as v from "valibot";
import { CODES_PER_CHARACTER } from "#db/lists/limits.ts";
import { roles } from "#db/lists/users.ts";
import { isStorable, REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { atMost, textBlock } from "#src/http/schemas.ts";
import { cleanLine } from "#src/http/texts/contract.ts";
import { faceField } from "#src/people/avatars/schemas.ts";
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { passwordField, signInSchema, tickedField, viewerSchema } from "#src/people/sign-ins/schemas.ts";
import {
  PASSWORD_LENGTH_MIN,
  USERNAME_LENGTH_MAX,
  USERNAME_LENGTH_MIN,
  USERNAME_LETTERS,
  isTypedTwice,
} from "./contract.ts";
import { isUsername, writeUsername } from "./usernames/contract.ts";

/** A mail server that anybody can reach has a domain with a dot, and its name ends with letters. So "ana@gmail" is a slip. */
const PUBLIC_DOMAIN = /\.[a-z][\w-]*[\da-z]$/;

/** An email address; it is trimmed and lower-cased, and loses what is not seen, such as a copied zero-width space. An international domain is in Punycode, which browsers make of it. */
const emailField = v.pipe(
  v.string("can't be blank"),
  v.transform(cleanLine),
  v.toLowerCase(),
  v.nonEmpty("can't be blank"),
  v.maxLength(EMAIL_LENGTH_MAX),
  v.rfcEmail(),
  v.regex(PUBLIC_DOMAIN),
);

/** A username. Whether it is taken is checked by refuseTaken, and whether it is fit for somebody by refuseUnfitUsername. */
export const usernameField = v.pipe(
  v.string("can't be blank"),
  v.trim(),
  v.nonEmpty("can't be blank"),
  ...atMost(USERNAME_LENGTH_MAX),
  v.check(isStorable),
  v.transform(writeUsername),
  v.check(isUsername, `can have ${USERNAME_LETTERS}`),
  v.minGraphemes(USERNAME_LENGTH_MIN),
);

export const guestBody = v.strictObject({
  /** The name of the guest; made of the id if left out. */
  username: v.optional(usernameField),
  /** The number of a drawn face; initials are drawn if left out. */
  face: v.optional(faceField),
});
export type GuestBody = v.InferOutput<typeof guestBody>;

/** Answer of GET /api/v1/guest_suggestion: what a guest may begin with. */
export const guestSuggestionAnswer = v.object({
  guestSuggestion: v.object({
    /** Nobody has it at this moment. */
    username: v.string(),
    face: v.number(),
  }),
});
export type GuestSuggestion = v.InferOutput<typeof guestSuggestionAnswer>["guestSuggestion"];

/** A new password, in the form in which it is hashed. Common ones are refused later, by refuseCommonPassword. */
const newPasswordField = v.pipe(
  v.string("can't be blank"),
  ...atMost(PASSWORD_LENGTH_MAX),
  v.normalize("NFC"),
  v.check((password) => password.trim() !== "", "can't be blank"),
  v.minGraphemes(PASSWORD_LENGTH_MIN),
);

/** For a password that was typed differently the second time. */
const MISMATCH = "doesn't match Password";
const passwordConfirmation = v.pipe(
  v.string("can't be blank"),
  // What `normalize` is given is bounded: it takes quadratic time for many accents on one letter.
  v.maxLength(PASSWORD_LENGTH_MAX * CODES_PER_CHARACTER, MISMATCH),
  v.normalize("NFC"),
);

const newPassword = { password: newPasswordField, passwordConfirmation };

/** The forms always send it. A program that does not is not asked. */
const acceptedTerms = v.optional(v.union([v.literal("1"), v.literal(true)], "must be accepted"));

export const registrationBody = v.pipe(
  v.strictObject({
    email: emailField,
    username: usernameField,
    ...newPassword,
    terms: acceptedTerms,
    rememberMe: tickedField,
    /** What the link of an invitation has. */
    invitation: v.optional(v.string()),
  }),
  v.forward(v.partialCheck([["password"], ["passwordConfirmation"]], isTypedTwice, MISMATCH), [
    "passwordConfirmation",
  ]),
);
export type RegistrationBody = v.InferOutput<typeof registrationBody>;

export const askForMailBody = v.strictObject({ email: emailField });

/** The query parameters with the secrets in the links of mails. */
export const resetPasswordQuery = v.object({ resetPasswordToken: v.optional(v.string()) });
export const confirmationQuery = v.object({ confirmationToken: v.optional(v.string(), "") });
export const unlockQuery = v.object({ unlockToken: v.optional(v.string(), "") });
export const confirmationBody = v.strictObject({ confirmationToken: v.string() });
export const unlockBody = v.strictObject({ unlockToken: v.string() });
/** What a mail's link has done; null before it has done anything. */
export const linkAnswer = v.object({ message: v.nullable(v.string()) });

export const resetPasswordBody = v.pipe(
  v.strictObject({ resetPasswordToken: v.optional(v.string()), ...newPassword }),
  v.forward(v.partialCheck([["password"], ["passwordConfirmation"]], isTypedTwice, MISMATCH), [
    "passwordConfirmation",
  ]),
);
export type ResetPasswordBody = v.InferOutput<typeof resetPasswordBody>;

export const passwordChangeBody = v.pipe(
  v.strictObject({ currentPassword: passwordField, ...newPassword }),
  v.forward(v.partialCheck([["password"], ["passwordConfirmation"]], isTypedTwice, MISMATCH), [
    "passwordConfirmation",
  ]),
);
export type PasswordChange = v.InferOutput<typeof passwordChangeBody>;

export const emailChangeBody = v.strictObject({ email: emailField, currentPassword: passwordField });
export type EmailChange = v.InferOutput<typeof emailChangeBody>;

export const ownPasswordBody = v.strictObject({ currentPassword: passwordField });

/** The answer of endpoints that return only a message for the user. */
export const messageAnswer = v.object({ message: v.string() });
export type MessageAnswer = v.InferOutput<typeof messageAnswer>;
/** Answer of PUT /users/password: who is signed in at this browser now; null where somebody else was. */
export const passwordResetAnswer = v.object({ message: v.string(), user: v.nullable(viewerSchema) });
export type PasswordResetAnswer = v.InferOutput<typeof passwordResetAnswer>;

/** Answer of GET /api/v1/users/me/account. */
export const accountAnswer = v.object({
  account: v.object({
    email: v.nullable(v.string()),
    confirmed: v.boolean(),
    /** The requested new address, until it is confirmed. */
    pendingEmail: v.nullable(v.string()),
    passkeysCount: v.number(),
    /** Where the account signs in at a provider; left out elsewhere. */
    provider: v.optional(
      v.object({
        hasPassword: v.boolean(),
        /** Its user was at the provider once more in the last 10 minutes: `oidc` counts as the password then. */
        proven: v.boolean(),
      }),
    ),
  }),
  signIns: v.array(signInSchema),
});
export type AccountAnswer = v.InferOutput<typeof accountAnswer>;

const reason = v.optional(textBlock(REASON_LENGTH_MAX));
export const manageUserBody = v.strictObject({ reason });
export const mergeUserBody = v.strictObject({
  account: v.pipe(
    v.string("is required"),
    v.trim(),
    v.nonEmpty("is required"),
    ...atMost(USERNAME_LENGTH_MAX),
    v.check(isStorable),
  ),
  reason,
});
export const changeRolesBody = v.strictObject({ roles: v.array(v.picklist(roles, "is invalid")), reason });

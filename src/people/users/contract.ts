export const USERNAME_LENGTH_MIN = 2;
export const USERNAME_LENGTH_MAX = 20;
export const PASSWORD_LENGTH_MIN = 8;

/** What a username is made of, as the forms and the refusal say it. */
export const USERNAME_LETTERS =
  "letters and digits of any script, with single blanks or _ . - ' · between them, and . or ' at the end";

/** The prefixes of generated usernames: of guests, and of removed guests. */
export const GUEST_PREFIX = "guest_";
export const GONE_PREFIX = "gone_";
export const isTypedTwice = (form: { password: string; passwordConfirmation: string }) =>
  form.password === form.passwordConfirmation;

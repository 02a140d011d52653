import type { MailRow } from "#src/mail/write-mail.ts";

/** The text of a mail. Its link is placed after the first paragraph. */
export type MailText = { subject: string; paragraphs: readonly string[]; label?: string };

const NOT_YOU = "Was it not you? Then ignore this mail. Nothing changes.";
const NOT_YOU_AFTERWARDS =
  "Was it not you? Choose a new password at once: open the sign-in page and follow “Forgot your password?”.";

/** The texts of all mails about an account, by kind. */
export const mailTexts: Record<
  Exclude<MailRow["kind"], "session_reminder">,
  (username: string) => MailText
> = {
  confirm_email: (username) => ({
    subject: "Confirm your email address",
    label: "Confirm my address",
    paragraphs: [
      `Hello ${username}, please confirm that this address is yours.`,
      "The link works for 3 days. You can play right away, but after 24 hours you need a confirmed address to come in.",
      "You did not sign up? Then ignore this mail.",
    ],
  }),
  reset_password: (username) => ({
    subject: "Choose a new password",
    label: "Choose a new password",
    paragraphs: [
      `Hello ${username}, somebody asked for a new password for your account. If it was you, choose it here.`,
      "The link works once, for 6 hours.",
      NOT_YOU,
    ],
  }),
  unlock: (username) => ({
    subject: "Your account is locked",
    label: "Unlock my account",
    paragraphs: [
      `Hello ${username}, there were too many wrong passwords in a row, so your account is locked. Unlock it here.`,
      "It also opens by itself after an hour. If it was not you who tried, your password has held; a longer one holds better.",
    ],
  }),
  change_email: (username) => ({
    subject: "Confirm your new email address",
    label: "Use this address",
    paragraphs: [
      `Hello ${username}, confirm that your account is to be reached at this address from now on.`,
      "The link works for a day. Until then the old address stays.",
      NOT_YOU,
    ],
  }),
  email_change_asked: (username) => ({
    subject: "Your email address is about to change",
    paragraphs: [
      `Hello ${username}, somebody who knows your password asked to move your account to another address.`,
      "Nothing changes before a link in a mail to that address is opened.",
      NOT_YOU_AFTERWARDS,
    ],
  }),
  email_changed: (username) => ({
    subject: "Your email address was changed",
    paragraphs: [
      `Hello ${username}, your account is reached at another address from now on. This one no longer signs in.`,
      "Was it not you? Write to the people who run this game at once.",
    ],
  }),
  password_changed: (username) => ({
    subject: "Your password was changed",
    paragraphs: [
      `Hello ${username}, your account has a new password. Everybody who was signed in elsewhere is signed out.`,
      NOT_YOU_AFTERWARDS,
    ],
  }),
  passkey_added: (username) => ({
    subject: "A passkey was added to your account",
    paragraphs: [
      `Hello ${username}, your account can be signed in to with another passkey from now on. The page of your account lists them.`,
      `${NOT_YOU_AFTERWARDS} Then remove the passkey that is not yours.`,
    ],
  }),
  passkey_removed: (username) => ({
    subject: "A passkey was removed from your account",
    paragraphs: [
      `Hello ${username}, one of your passkeys no longer signs in to your account. Delete it on its device too.`,
      NOT_YOU_AFTERWARDS,
    ],
  }),
};

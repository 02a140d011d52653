export const mailKinds = [
  "confirm_email",
  "reset_password",
  "unlock",
  "change_email",
  "email_change_asked",
  "email_changed",
  "password_changed",
  "passkey_added",
  "passkey_removed",
  "provider_linked",
  "session_reminder",
] as const;
export type MailKind = (typeof mailKinds)[number];

/** What the secret of a link in a mail is for. */
export const tokenKinds = ["confirm_email", "reset_password", "unlock", "change_email"] as const;

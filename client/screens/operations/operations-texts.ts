import { formatCount } from "#client/base/format/count.ts";
import type { MailKind } from "#db/lists/mails.ts";
import { labelsOf } from "#src/base/contract.ts";

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Seconds are said up to here, minutes up to the next. */
const SECONDS_BELOW = 100;
const MINUTES_BELOW_S = 2 * HOUR_S;

/** "4 s", "12 min", "3 h" */
export function lateTime(lateMs: number): string {
  const seconds = Math.floor(lateMs / SECOND_MS);
  if (seconds < 1) return "less than 1 s";
  if (seconds < SECONDS_BELOW) return `${formatCount(seconds)} s`;
  if (seconds < MINUTES_BELOW_S) return `${formatCount(Math.round(seconds / MINUTE_S))} min`;
  return `${formatCount(Math.round(seconds / HOUR_S))} h`;
}

/** The texts of the operators' home. */
export const queueDashboard = "Queue dashboard";

// Mails that were given up
export const mailName = labelsOf<MailKind>({
  confirm_email: "Confirmation of an address",
  reset_password: "New password",
  unlock: "Unlocking an account",
  change_email: "Change of an address",
  email_change_asked: "Note: change of address asked for",
  email_changed: "Note: address changed",
  password_changed: "Note: password changed",
  passkey_added: "Note: passkey added",
  passkey_removed: "Note: passkey removed",
  session_reminder: "Reminder of a session",
});

/** The texts of the page that reminds of a planned session. */

export const title = (name: string) => `Remind me of ${name}`;
export const startsAt = "It starts {at}.";
export const calendar = "Add to my calendar";
export const calendarHint = "A file for any calendar, with an alarm 10 minutes before.";
export const byPush = "Remind me by a message";
export const byMail = "Remind me by mail";
export const messageHint = "10 minutes before it starts, and at once if it starts early.";
export const setByPush = "You get a message 10 minutes before it starts.";
export const setByMail = "You get a mail 10 minutes before it starts.";
export const takeBack = "Do not remind me";
export const unreachable =
  "For a message, switch messages on where your device can show them. For a mail, confirm an email address.";
export const signInFor = "Sign in to be reminded by a message or by mail.";
export const signIn = "Sign in";

import { countOf } from "../base/format/count.ts";

/** The texts of the chat. */

// Chat panel
export const loading = "Loading...";

// Chat screen
export const playerMuted = "The player is muted.";
export const chat = "Chat";
export const playersHere = (count: number) => `${countOf(count, "player")} here`;

// Composer
export const secondsLeft = (waitSeconds: number) => `${waitSeconds} s`;
export const send = "Send";
export const message = "Message";
export const saySomething = "Say something";
export const slowModeHint = (slowModeSeconds: number) =>
  `Slow mode: one message every ${slowModeSeconds} seconds.`;
export const offlineHint = "You are offline. What you send now may not arrive.";
export const lettersLeft = (count: number) => `${count} left`;

// Draft row
export const sending = "Sending...";
export const notSent = (failure: string) => `Not sent. ${failure}`;
export const tryAgain = "Try again";
export const edit = "Edit";

// Manage message
export const mutedHint = "You cannot write here until {until}: {reason}";
export const manage = "Manage";
export const messageOf = (username: string) => `message of ${username}`;
export const removeMessage = "Remove message";
export const removeName = "Take name away";
export const nameOf = (name: string) => `from ${name}`;
export const nameRemoved = (name: string, hadPicture: boolean) =>
  hadPicture
    ? `The name ${name} is taken away, and its picture is deleted. Undo gives the name back.`
    : `The name ${name} is taken away.`;
export const undo = "Undo";
export const approve = "Show on the big screen";
export const onBigScreen = "Shown on the big screen.";
export const waitsForHost = "Waits for a host before it is on the big screen.";
export const muteFor = (username: string) => `Mute ${username} for`;
export const reason = "Reason";
export const mute = "Mute";

// Message list
export const messages = "Messages";
export const newMessages = (unreadCount: number) => countOf(unreadCount, "new message");
export const olderMessages = "Older messages";
export const newestMessages = "Newest messages";
export const emptyTitle = "Nobody has said anything yet";
export const emptyHint = "What you write here, everybody with an account reads at once.";
export const ownName = (username: string) => `${username} (you)`;
export const removed = "Removed";

// Slow mode
export const slowMode = "Slow mode";
export const off = "Off";
export const everySeconds = (seconds: number) => `${seconds} s`;
export const sessionOver = "This session is over.";
export const set = "Set";

// Unread

// Use send message
export const noAnswer = "No answer from the server. Sent again, it is still one message.";
export const sendFailed = "That did not work.";

import { countOf } from "#client/base/format/count.ts";
import { FAILING_HOURS_MAX, ROTATION_HOURS } from "#src/webhooks/contract.ts";
import type { DeliveryState } from "#src/webhooks/contract.ts";

/** The texts of the page of webhooks. */
export const about =
  "A webhook tells another program what happens in a show, as it happens: a scoreboard, a light, a channel in Discord or Slack.";
export const reference = "What it sends and how to check it, in the API's reference";
export const list = "Webhooks";
export const none = "No webhook yet";
export const noneAbout = "Enter the address of a program. It gets each change of a session and each result.";

export const on = "On";
export const off = "Off";
export const failing = "Failing";
export const failingSince = `No message has arrived since {since}. After ${FAILING_HOURS_MAX} hours it is switched off.`;
export const offSince =
  "It was switched off because no message had arrived since {since}. Send a test, then switch it on.";
export const rotating = "The secret before this one signs too until {until}.";

export const add = "Add a webhook";
export const name = "Name";
export const address = "Address";
export const addressExample = "https://";
export const addressHint = "It gets a POST for each change and each result.";
export const format = "Format";
export const formatHint = "For Discord and Slack, enter the address of a webhook that you have made there.";
export const sessions = "Sessions";
export const sessionsHint =
  "Their names in the address, such as friday-quiz, with commas between. Empty: all sessions that are not private. A private session is told only to webhooks that name it here.";
export const ofSessions = (names: string) => `Only ${names}`;
export const ofAll = "All sessions that are not private";
export const asMessages = (chat: string) => `As messages in ${chat}`;
export const save = "Save";
export const change = "Change";
export const changeTitle = (webhookName: string) => `Change ${webhookName}`;
export const open = "Deliveries";
export const test = "Send a test";
export const switchOn = "Switch on";
export const switchOff = "Switch off";
export const switchOffTitle = (webhookName: string) => `Switch ${webhookName} off?`;
export const switchOffAbout =
  "It receives nothing until you switch it on again, and what waits for it is dropped.";
export const rotate = "New secret";
export const rotateTitle = (webhookName: string) => `Give ${webhookName} a new secret?`;
export const rotateAbout = `For ${ROTATION_HOURS} hours messages are signed with both secrets. Enter the new one in your program in this time.`;
export const remove = "Delete";
export const removeTitle = (webhookName: string) => `Delete ${webhookName}?`;
export const removeAbout = "It receives nothing any more, and its log is deleted too.";

export const made = "The secret";
export const madeAbout =
  "Your program checks with it that messages come from here. Copy it now: it is not shown again.";
export const secretOf = (webhookName: string) => `Secret of ${webhookName}`;

export const deliveriesTo = (webhookName: string) => `Deliveries to ${webhookName}`;
export const noDeliveries = "Nothing was sent yet. Send a test, or wait for the next show.";
export const states: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Arrived",
  failed: "Given up",
};
export const attempts = (count: number) => countOf(count, "attempt");
export const tookMs = (ms: number) => `${ms} ms`;
export const next = "Next attempt {at}.";
export const answered = (status: number) => `Answer ${status}`;
export const answerIs = "It said: {answer}";
export const resend = "Send again";
export const sendNow = "Send now";
export const idOf = (id: number) => `id ${id}`;
export const refresh = "Refresh";
export const done = {
  tested: "The test is on its way.",
  resent: "The message is on its way again.",
  changed: "The webhook is changed.",
  removed: "The webhook is deleted.",
};

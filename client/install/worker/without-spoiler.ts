import type { PushMessage } from "#src/people/push/contract.ts";

/**
 * On a device with a stream delay a message comes before its viewer's stream: it says that there is news, and the page says what,
 * when its time has come. That a session is live is no spoiler.
 *
 * Decision: the worker does not wait instead. Browsers end a worker that shows nothing for a while, some after 30 seconds, and then
 * show a message of their own, or take the permission away.
 */
export function withoutSpoiler(message: PushMessage, delaySeconds: number): PushMessage {
  if (delaySeconds === 0 || message.tag.startsWith("live-")) return message;
  const title = "There is news in your session";
  return { ...message, title, body: "Open it to see what, with your stream delay." };
}

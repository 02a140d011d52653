import { readDelay } from "#client/base/delay/device-delay.ts";
import type { PushMessage } from "#src/people/push/contract.ts";
import { shell } from "./shell.ts";
import { withoutSpoiler } from "./without-spoiler.ts";

/**
 * Shows a message from the server, without a sound while a page of the product is visible, which says the same. Never nothing: Safari
 * ends the subscription of a site that has shown nothing three times, whatever is visible.
 */
export async function showMessage(data: unknown): Promise<void> {
  if (!isMessage(data)) return;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const silent = pages.some(({ visibilityState }) => visibilityState === "visible");
  const { title, body, url, tag } = withoutSpoiler(data, await readDelay().catch(() => 0));
  await registration.showNotification(title, {
    body,
    tag,
    silent,
    data: url,
    icon: shell.icon,
    badge: shell.badge,
    lang: "en",
  });
}

/** Shows the page of a message: the window that has it open, or a new one. */
export async function openMessage(notification: Notification): Promise<void> {
  notification.close();
  const path = typeof notification.data === "string" ? notification.data : "/sessions";
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find(({ url }) => new URL(url).pathname === path);
  if (open === undefined) await clients.openWindow(path);
  else await open.focus();
}

function isMessage(data: unknown): data is PushMessage {
  return (
    typeof data === "object" &&
    data !== null &&
    "title" in data &&
    typeof data.title === "string" &&
    "url" in data &&
    typeof data.url === "string" &&
    data.url.startsWith("/")
  );
}

import type { Page } from "playwright/test";
import { PushBrowser } from "#tests/people/push/push-browser.ts";

/**
 * Replaces the browser's push service, which has no network here, and counts how often the browser asks the player.
 * @param browser where messages to the page go.
 */
export async function withPushService(
  page: Page,
  permission: "granted" | "denied",
  browser = new PushBrowser(`https://push.example.com/${crypto.randomUUID()}`),
): Promise<PushBrowser> {
  const { endpoint, p256dh, auth } = browser.subscription();
  await page.addInitScript(
    ({ json, answer }) => {
      const asked = () => Number(sessionStorage.getItem("asked") ?? "0");
      let state = localStorage.getItem("permission") ?? "default";
      Object.defineProperty(Notification, "permission", { get: () => state });
      Notification.requestPermission = () => {
        sessionStorage.setItem("asked", String(asked() + 1));
        state = answer;
        localStorage.setItem("permission", answer);
        return Promise.resolve(answer);
      };
      const subscription = (key: unknown) => ({
        endpoint: json.endpoint,
        options: { applicationServerKey: key },
        toJSON: () => json,
        unsubscribe: () => {
          localStorage.removeItem("subscribed");
          return Promise.resolve(true);
        },
      });
      const bytesOf = (key: string) =>
        Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
          .buffer;
      Object.assign(PushManager.prototype, {
        subscribe: ({ applicationServerKey: key }: { applicationServerKey: string }) => {
          localStorage.setItem("subscribed", key);
          return Promise.resolve(subscription(bytesOf(key)));
        },
        getSubscription: () => {
          const key = localStorage.getItem("subscribed");
          return Promise.resolve(key === null ? null : subscription(bytesOf(key)));
        },
      });
    },
    { json: { endpoint, keys: { p256dh, auth } }, answer: permission },
  );
  return browser;
}

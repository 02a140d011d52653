import { PushBrowser } from "#tests/people/push/push-browser.ts";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { phone, profileOf, signedIn, signedInByForm } from "./players.ts";
import { type Page, expect, hydrated, openLive, productUrl, test } from "./support/journey.ts";
import { withPushService } from "./support/push-service.ts";
import { askWorker, findRegistration, leavePage, untilActive, workerOf } from "./support/service-worker.ts";

test.use({
  serviceWorkers: "allow",
  viewport: phone,
  // The headless shell shows no notifications.
  launchOptions: { executablePath: requireChromium(), args: chromiumFlags },
});

const message = {
  title: "Friday Football is live",
  body: "The first question opens in a moment.",
  url: "/terms",
  tag: "live-7",
};

const SHOWN_WITHIN_MS = 10_000;

/** Delivers until it is shown: on a busy machine the browser may fail to start the worker, and the delivery is lost. */
async function deliverUntil(
  deliver: () => Promise<unknown>,
  shown: () => Promise<unknown>,
  expected: unknown,
): Promise<void> {
  await expect(async () => {
    await deliver();
    // The delivery is answered before the worker has shown the message.
    await expect.poll(shown, { timeout: SHOWN_WITHIN_MS }).toEqual(expected);
  }).toPass();
}

const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, silent }) => ({ title, silent }));
  });

/** Opens a page that gets messages. @returns sends it one. */
async function openReceiver(page: Page): Promise<(data: string) => Promise<unknown>> {
  const origin = productUrl();
  await page.context().grantPermissions(["notifications"], { origin });
  await page.goto("/users/sign_in");
  await untilActive(page);
  const session = await page.context().newCDPSession(page);
  const registrationId = await findRegistration(session);
  return (data) => session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
}

test("a message is shown, silently while a page is, replaced by the next with its tag, and opens its page", async ({
  page,
  context,
}) => {
  const deliver = await openReceiver(page);

  // Safari ends the subscription of a site that shows nothing.
  const silently = [{ title: message.title, silent: true }];
  await deliverUntil(
    () => deliver(JSON.stringify(message)),
    () => shownOn(page),
    silently,
  );
  await leavePage(page);
  const shown = () =>
    askWorker(context, async () => {
      const own: { registration: ServiceWorkerRegistration } = Object(globalThis);
      return (await own.registration.getNotifications()).map(({ title }) => title);
    });
  for (const title of ["The next", message.title])
    await deliverUntil(() => deliver(JSON.stringify({ ...message, title })), shown, [title]);

  const opened = await workerOf(context).evaluate(async () => {
    const own: {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (path: string) => Promise<null> };
      NotificationEvent: new (type: string, init: { notification: Notification | undefined }) => Event;
    } = Object(globalThis);
    const [notification] = await own.registration.getNotifications();
    // The browser allows a window only after a tap on a real notification.
    return new Promise<string>((resolve) => {
      own.clients.openWindow = (path) => {
        resolve(path);
        return Promise.resolve(null);
      };
      globalThis.dispatchEvent(new own.NotificationEvent("notificationclick", { notification }));
    });
  });
  expect(opened).toBe(message.url);
  await expect.poll(shown).toEqual([]);

  await page.goto("/terms");
  await deliver("null");
  await deliverUntil(
    () => deliver(JSON.stringify(message)),
    () => shownOn(page),
    silently,
  );
});

test("on a device with a stream delay a message gives no result away, and says that a session is live", async ({
  page,
  context,
}) => {
  await context.addCookies([{ name: "delay", value: "40", url: productUrl() }]);
  const send = await openReceiver(page);
  await expect.poll(() => page.evaluate("caches.has('device')")).toBe(true);
  await leavePage(page);
  const result = { title: "You called it: +$3.04", body: "Will it rain?", url: "/terms", tag: "results-7" };
  const deliver = async () => {
    for (const each of [result, message]) await send(JSON.stringify(each));
  };
  const shown = () =>
    askWorker(context, async () => {
      const own: { registration: ServiceWorkerRegistration } = Object(globalThis);
      const notifications = await own.registration.getNotifications();
      return notifications.map(({ title, body }) => `${title}: ${body}`).toSorted();
    });
  await deliverUntil(deliver, shown, [
    `${message.title}: ${message.body}`,
    "There is news in your session: Open it to see what, with your stream delay.",
  ]);
});

const timesAsked = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem("asked") ?? "0"));

async function openNotifications(page: Page): Promise<void> {
  await openLive(page, "/profile");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page
    .getByRole("button", { name: /^Notifications/ })
    .first()
    .click();
}

/** What the server sends to the player's browsers. */
async function subscriptionsOf(page: Page) {
  const { id } = await profileOf(page);
  const response = await page.request.get(`/api/v1/users/${id}/push_subscriptions`);
  const {
    pushSubscriptions,
  }: { pushSubscriptions: { endpoint: string; sessionLive: boolean; results: boolean }[] } =
    await response.json();
  return pushSubscriptions.map(({ endpoint, sessionLive, results }) => ({ endpoint, sessionLive, results }));
}

test("messages are off until they are switched on, and the browser asks only after the tap", async () => {
  const page = await signedInByForm("cleo", { serviceWorkers: "allow" });
  const { endpoint } = await withPushService(page, "granted");
  await openNotifications(page);
  const live = page.getByRole("switch", { name: "When a session is live" });
  const results = page.getByRole("switch", { name: "With my results" });
  await expect(live).toHaveAttribute("aria-checked", "false");
  await expect(results).toHaveAttribute("aria-checked", "false");
  expect(await timesAsked(page)).toBe(0);
  await expect.poll(() => subscriptionsOf(page)).toEqual([]);

  await live.click();
  await expect(live).toHaveAttribute("aria-checked", "true");
  expect(await timesAsked(page)).toBe(1);
  await expect.poll(() => subscriptionsOf(page)).toEqual([{ endpoint, sessionLive: true, results: false }]);

  // Still so on the next page, and another switch is one more kind.
  await openNotifications(page);
  await expect(live).toHaveAttribute("aria-checked", "true");
  await results.click();
  await expect(results).toHaveAttribute("aria-checked", "true");
  await expect.poll(() => subscriptionsOf(page)).toEqual([{ endpoint, sessionLive: true, results: true }]);

  await live.click();
  await expect(live).toHaveAttribute("aria-checked", "false");
  await results.click();
  await expect(results).toHaveAttribute("aria-checked", "false");
  await expect.poll(() => subscriptionsOf(page)).toEqual([]);
});

test("a subscription that the browser renews goes on, and signing out ends it, for the server and for the browser", async () => {
  const page = await signedIn("ben", { serviceWorkers: "allow" });
  const { endpoint: old } = await withPushService(page, "granted");
  await openNotifications(page);
  await page.getByRole("switch", { name: "With my results" }).click();
  await expect.poll(async () => (await subscriptionsOf(page)).length).toBe(1);

  // The browser replaces its subscription by itself, and no page is asked.
  const renewed = new PushBrowser(`https://push.example.com/${crypto.randomUUID()}`).subscription();
  await workerOf(page.context()).evaluate(
    ({ old, endpoint, keys }) => {
      const own: { ExtendableEvent: new (type: string) => Event } = Object(globalThis);
      const change = {
        oldSubscription: { endpoint: old },
        newSubscription: { toJSON: () => ({ endpoint, keys }) },
      };
      globalThis.dispatchEvent(Object.assign(new own.ExtendableEvent("pushsubscriptionchange"), change));
    },
    { old, endpoint: renewed.endpoint, keys: { p256dh: renewed.p256dh, auth: renewed.auth } },
  );
  await expect
    .poll(() => subscriptionsOf(page))
    .toEqual([{ endpoint: renewed.endpoint, sessionLive: false, results: true }]);

  await openLive(page, "/profile");
  await page.locator("#main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/sign_in/);
  await hydrated(page);
  expect(await page.evaluate(() => localStorage.getItem("subscribed"))).toBeNull();
  const again = await signedIn("ben");
  await expect.poll(() => subscriptionsOf(again)).toEqual([]);
});

test("where the browser blocks messages, the switch stays off and says how to allow them", async () => {
  const page = await signedIn("ana", { serviceWorkers: "allow" });
  await withPushService(page, "denied");
  await openNotifications(page);
  const live = page.getByRole("switch", { name: "When a session is live" });
  await live.click();
  await expect(page.getByText(/^Your browser blocks messages from this site/)).toBeVisible();
  await expect(live).toHaveAttribute("aria-checked", "false");
  await expect.poll(() => subscriptionsOf(page)).toEqual([]);
});

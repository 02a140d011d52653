import { expect, type Page, test as runner } from "playwright/test";
import { PushService } from "#tests/people/push/push-service.ts";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { phone } from "../players.ts";
import { type Api, apiOf, guestAt } from "../show-host.ts";
import { PROOF, test } from "../support/journey.ts";
import { ask, runSession } from "../support/own-show.ts";
import { hydrated } from "../support/page.ts";
import { withPushService } from "../support/push-service.ts";
import { findRegistration, leavePage, untilActive } from "../support/service-worker.ts";
import { callSide, decide } from "../support/two-device-show.ts";

const STARTED_WITHIN_MS = 240_000;
const PASSWORD = "called-it-demo";

test.use({
  serviceWorkers: "allow",
  viewport: phone,
  // The headless shell shows no notifications.
  launchOptions: { executablePath: requireChromium(), args: chromiumFlags },
});

const signIn = async (api: Api, name: string) => {
  await api("POST", "/users/sign_in", { user: { email: `${name}@example.test`, password: PASSWORD } });
};

/** The switch for results in the notifications, pressed. */
async function press(page: Page, isOn: boolean): Promise<void> {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page
    .getByRole("button", { name: /^Notifications/ })
    .first()
    .click();
  const results = page.getByRole("switch", { name: "With my results" });
  await results.click();
  await expect(results).toHaveAttribute("aria-checked", String(isOn));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ body }) => body);
  });

const title =
  "messages that are switched on in a show come from the product to the device, and no more once they are off";
test(title, { tag: PROOF }, async ({ browser, page, context }) => {
  runner.setTimeout(STARTED_WITHIN_MS * 2);
  const service = new PushService();
  const { dataDir, remove } = makeDataFolder();
  const product = startProduct(dataDir, { PUSH_SERVICE_URL: service.origin });
  try {
    const url = await product.url;
    const { origin } = new URL(url);
    const host = apiOf(await browser.newContext(), origin);
    await expect(() => signIn(host, "admin")).toPass({ timeout: STARTED_WITHIN_MS });
    const session = await runSession(host, "With messages");
    const player = apiOf(context, origin);
    await signIn(player, "cleo");
    const opponent = await guestAt(browser, origin);
    /** The player wins an event, and hears of it where that is wanted. */
    const win = async (question: string) => {
      const asked = await ask(host, session.id, question);
      await callSide(player, asked, "true");
      await callSide(opponent, asked, "false");
      await decide({ host }, asked, true);
    };

    await context.grantPermissions(["notifications"], { origin });
    const device = await withPushService(page, "granted", service.browser());
    await page.goto(`${origin}/sessions/${session.slug}`);
    await untilActive(page);
    const told = () => service.deliveriesTo(device).map(({ message }) => message);
    await win("Before?");
    await press(page, true);
    await win("Wanted?");
    await expect.poll(told).toMatchObject([{ body: "Wanted?" }]);
    await press(page, false);
    await win("Not wanted?");
    await press(page, true);
    await win("Wanted again?");
    await expect.poll(told).toMatchObject([{ body: "Wanted?" }, { body: "Wanted again?" }]);

    // What has come is shown by the worker once the page is left.
    const system = await context.newCDPSession(page);
    const registrationId = await findRegistration(system);
    await leavePage(page);
    const [first] = service.deliveriesTo(device);
    const data = JSON.stringify(first?.message);
    await system.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
    await page.goto(`${origin}/terms`);
    await hydrated(page);
    await expect.poll(() => shownOn(page)).toEqual(["Wanted?"]);
  } finally {
    product.kill("SIGTERM");
    await product.exited;
    await service.stop();
    remove();
  }
});

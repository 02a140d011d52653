import { expect, type Page, test as runner } from "playwright/test";
import { PushService } from "#tests/people/push/push-service.ts";
import { chromiumFlags, requireChromium } from "#tests/support/chromium.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { phone, signInAs } from "../players.ts";
import { apiOf, newApi, newGuest } from "../show-host.ts";
import { PROOF, openLive, test } from "../support/journey.ts";
import { ask, runSession } from "../support/own-show.ts";
import { withPushService } from "../support/push-service.ts";
import { findRegistration, leavePage, untilActive } from "../support/service-worker.ts";
import { callSide, decide } from "../support/two-device-show.ts";

const STARTED_WITHIN_MS = 240_000;

test.use({
  serviceWorkers: "allow",
  viewport: phone,
  // The headless shell shows no notifications.
  launchOptions: { executablePath: requireChromium(), args: chromiumFlags },
});

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
test(title, { tag: PROOF }, async ({ page, context }) => {
  runner.setTimeout(STARTED_WITHIN_MS * 2);
  const service = new PushService();
  const { dataDir, remove } = makeDataFolder();
  const product = startProduct(dataDir, { PUSH_SERVICE_URL: service.origin });
  try {
    const url = await product.url;
    const { origin } = new URL(url);
    const host = await newApi(origin);
    await expect(() => signInAs(host, "admin")).toPass({ timeout: STARTED_WITHIN_MS });
    const session = await runSession(host, "With messages");
    const player = apiOf(context, origin);
    await signInAs(player, "cleo");
    const opponent = await newGuest(origin);
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
    await openLive(page, `${origin}/terms`);
    await expect.poll(() => shownOn(page)).toEqual(["Wanted?"]);
  } finally {
    product.kill("SIGTERM");
    await product.exited;
    await service.stop();
    remove();
  }
});

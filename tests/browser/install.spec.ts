import { phone, signedInAt } from "./players.ts";
import { violationsOf } from "./support/accessibility.ts";
import { complaintsOf } from "./support/complaints.ts";
import { Front } from "./support/front.ts";
import { type Page, expect, test } from "./support/journey.ts";
import { findProduct } from "./support/product.ts";
import { untilActive } from "./support/service-worker.ts";

const OFFERED_WITHIN_MS = 5_000;

test.use({ serviceWorkers: "allow", viewport: phone });

/** Opens a page and waits until its service worker is active, which it is not before the page is live. */
async function openWithWorker(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilActive(page);
}

/** The paths of all that is in the caches. */
const cachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const stored = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return stored.flat().map(({ url }) => new URL(url).pathname);
  });

function openFront(): Front {
  return new Front(findProduct()?.url ?? "");
}

test("without a network a page of the product says so, and opens the page that was asked for when there is one again", async ({
  page,
}) => {
  const front = openFront();
  await openWithWorker(page, `${front.url}/users/sign_in`);
  await page.goto(`${front.url}/terms`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await front.stop();
  const complaints = complaintsOf(page);
  await page.goto(`${front.url}/users/password`);
  await expect(page.getByRole("heading", { name: "You are offline." })).toBeVisible();
  await expect(page.getByText("Your calls are safe.")).toBeVisible();
  await expect(page).toHaveTitle("You are offline");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page)).toEqual([]);
  }
  expect(complaints.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
  // No page, no answer of the API and no money comes from a cache.
  const asked = page.evaluate(() =>
    fetch("/api/v1/users/me").then(
      ({ status }) => status,
      () => "no answer",
    ),
  );
  expect(await asked).toBe("no answer");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("status")).toHaveText("Still offline.");
  front.start();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await expect(page).toHaveURL(`${front.url}/users/password`);
  await front.stop();
});

test("the product can be installed, and its worker stores only files that never change, after the page is live", async ({
  page,
}) => {
  const liveAtRequest: Promise<number>[] = [];
  await page.route(/late-install/, async (route) => {
    liveAtRequest.push(page.locator("#root[data-hydrated]").count());
    await route.continue();
  });
  await openWithWorker(page, "/users/sign_in");
  // Its code registers the worker.
  expect(new Set(await Promise.all(liveAtRequest))).toEqual(new Set([1]));
  for (const path of ["/terms", "/users/password", "/users/sign_in"]) await page.goto(path);
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const paths = await cachedPaths(page);
  expect(paths.length).toBeGreaterThan(4);
  expect(paths.filter((path) => !path.startsWith("/assets/") || path.endsWith(".html"))).toEqual([]);
  await expectInstallable(page);
});

/** The manifest, the icons and the colours are right. */
async function expectInstallable(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { url, errors } = await session.send("Page.getAppManifest");
  expect([new URL(url).pathname, errors]).toEqual(["/manifest.webmanifest", []]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // Contexts of journeys are like private windows, which install nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual(
    [],
  );
  const colors = await page
    .locator('meta[name="theme-color"]')
    .evaluateAll((metas) => metas.map((meta) => [meta.getAttribute("media"), meta.getAttribute("content")]));
  expect(colors).toEqual([
    ["(prefers-color-scheme: light)", "#EAECE8"],
    ["(prefers-color-scheme: dark)", "#0D0F11"],
  ]);
}

test("the menu offers to install the app only where the browser does, and asks by a tap", async () => {
  const page = await signedInAt("ana", "/profile");
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  const entry = page.getByRole("button", { name: "Install app" });
  await menu.click();
  await expect(page.getByRole("radiogroup", { name: "Theme" })).toBeVisible();
  await expect(entry).toHaveCount(0);
  // A page that is live late hears no offer before its code for it has come.
  await expect(async () => {
    await page.evaluate(() => {
      const offer = new Event("beforeinstallprompt", { cancelable: true });
      const prompt = () => {
        document.body.dataset["prompted"] = "yes";
        return Promise.resolve({ outcome: "accepted" });
      };
      globalThis.dispatchEvent(Object.assign(offer, { prompt }));
      document.body.dataset["prevented"] = String(offer.defaultPrevented);
    });
    await expect(entry).toBeVisible({ timeout: OFFERED_WITHIN_MS });
  }).toPass();
  await expect(page.locator("body")).toHaveAttribute("data-prevented", "true");
  await expect(page.locator("body")).not.toHaveAttribute("data-prompted", "yes");
  await entry.click();
  await expect(page.locator("body")).toHaveAttribute("data-prompted", "yes");
  await expect(entry).toHaveCount(0);
});

test("on an iPhone the menu says how to install the app", async () => {
  const userAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1";
  const page = await signedInAt("ana", "/profile", { userAgent });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Install app" }).click();
  await expect(page.getByText("Tap Share, then Add to Home Screen.")).toBeVisible();
});

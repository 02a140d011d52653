import { expect } from "playwright/test";
import { desk, phone, signedIn } from "../players.ts";
import { apiOf } from "../show-host.ts";
import { test } from "../support/journey.ts";
import { side } from "../support/one-phone-show.ts";
import { hydrated } from "../support/page.ts";
import { startShow } from "../support/two-device-show.ts";

const PASSWORD = "called-it-demo";

test("who plays next at a device finds nothing of the player before: no amount, no words, no balance", async ({
  browser,
  baseURL,
}) => {
  const origin = String(baseURL);
  const { slug } = await startShow(browser, origin);
  const context = await browser.newContext({ viewport: phone });
  const page = await context.newPage();
  const signIn = (name: string) =>
    apiOf(context, origin)("POST", "/users/sign_in", {
      user: { email: `${name}@example.test`, password: PASSWORD },
    });
  const openShow = async () => {
    await page.goto(`/sessions/${slug}`);
    await hydrated(page);
    await expect(side(page, "True")).toBeVisible();
  };
  const openChat = async () => {
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    return page.getByLabel("Message", { exact: true });
  };

  await signIn("ben");
  await openShow();
  await page.getByRole("button", { name: "$5", exact: true }).click();
  await expect(page.locator(".stepper input")).toHaveValue(/5/);
  await (await openChat()).fill("not for everybody");
  await page.goto("/profile");
  await hydrated(page);
  await page.locator("#main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/sign_in/);

  await signIn("ana");
  await openShow();
  await expect(page.locator(".stepper input")).toHaveValue(/1/);
  await expect(await openChat()).toHaveValue("");

  await test.step("and the terms name every cookie that this device has now", async () => {
    await page.goto("/terms");
    const named = await page.locator("table code").allTextContents();
    const kept = (await context.cookies()).map(({ name }) => name.replace("__Host-", ""));
    expect(kept).toEqual(expect.arrayContaining(["called_it", "time_zone"]));
    expect(kept.filter((name) => !named.includes(name))).toEqual([]);
  });
});

test("a host who types into the search for players before the scripts have arrived finds them", async ({
  browser,
  baseURL,
}) => {
  const { slug } = await startShow(browser, String(baseURL));
  const page = await signedIn(browser, "admin", { viewport: desk });
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto(`/sessions/${slug}/admin`, { waitUntil: "commit" });
  const search = page.getByRole("searchbox", { name: /player/i });
  await search.fill("cleo");
  arrive();
  await hydrated(page);
  await expect(page.getByRole("search").getByRole("listitem").filter({ hasText: "cleo" })).toBeVisible();
  await expect(search).toHaveValue("cleo");
});

import { desk, newPage, signedIn, signInAs } from "../players.ts";
import { apiOf } from "../show-host.ts";
import { expect, hydrated, openLive, test } from "../support/journey.ts";
import { side } from "../support/one-phone-show.ts";
import { startShow } from "../support/two-device-show.ts";

test("who plays next at a device finds nothing of the player before: no amount, no words, no balance", async () => {
  const { path } = await startShow();
  const page = await newPage();
  const context = page.context();
  const openShow = async () => {
    await openLive(page, path);
    await expect(side(page, "True")).toBeVisible();
  };
  const openChat = async () => {
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    return page.getByLabel("Message", { exact: true });
  };

  await signInAs(apiOf(page), "ben");
  await openShow();
  await page.getByRole("button", { name: "$5", exact: true }).click();
  await expect(page.locator(".stepper input")).toHaveValue(/5/);
  await (await openChat()).fill("not for everybody");
  await openLive(page, "/profile");
  await page.locator("#main").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/sign_in/);

  await signInAs(apiOf(page), "ana");
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

test("a host who types into the search for players before the scripts have arrived finds them", async () => {
  const { path } = await startShow();
  const page = await signedIn("admin", { viewport: desk });
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto(`${path}/admin`, { waitUntil: "commit" });
  const search = page.getByRole("searchbox", { name: /player/i });
  await search.fill("cleo");
  arrive();
  await hydrated(page);
  await expect(page.getByRole("search").getByRole("listitem").filter({ hasText: "cleo" })).toBeVisible();
  await expect(search).toHaveValue("cleo");
});

import { expect, type Locator, type Page } from "playwright/test";
import { holdTable, type HeldTable } from "#tests/support/hold-table.ts";
import { desk, phone, signedIn } from "./players.ts";
import { complaintsOf } from "./support/complaints.ts";
import { intercept } from "./support/intercept.ts";
import { test } from "./support/journey.ts";
import { findProduct } from "./support/product.ts";
import { hydrated } from "./support/write-blueprint.ts";

/** Makes all reads of a table wait. Nothing that the running show needs: the other journeys play it. */
async function hold(table: "blueprints" | "book_checks" | "exclusions"): Promise<HeldTable> {
  const product = findProduct();
  if (product === null) throw new Error("The product was not started.");
  return holdTable(product.ownerDatabaseUrl, table);
}

const slowPages = [
  { path: "/blueprints", table: "blueprints", title: "Blueprints", late: "View", viewport: desk },
  { path: "/leaderboard", table: "exclusions", title: "Leaderboard", late: "Recompute", viewport: phone },
  {
    path: "/admin/books",
    table: "book_checks",
    title: "Books",
    late: "Payments to look at",
    viewport: phone,
  },
] as const;

// A read that waits for longer than 30 s fails, and a busy machine takes long to start a page for the first time. So the scripts are
// there before, and only what has to happen meanwhile happens while a table is held.
for (const { path, table, title, late, viewport } of slowPages) {
  test(`on a ${viewport.width} px screen ${path} is usable before its data is there`, async ({ browser }) => {
    const page = await signedIn(browser, "admin", { viewport });
    const complaints = complaintsOf(page);
    await page.goto(path);
    await hydrated(page);
    const held = await hold(table);
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await expect(page.getByText("Loading...", { exact: true })).toBeVisible();
    await hydrated(page);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
    await expect(page.getByText(late).first()).toBeHidden();
    await held.release();
    await page.keyboard.press("Escape");
    await expect(page.getByText(late).first()).toBeVisible();
    await expect(page.getByText("Loading...", { exact: true })).toBeHidden();
    await page.waitForLoadState();
    expect(complaints).toEqual([]);
  });
}

test("a part that came late is live: its links and forms work without loading the page again", async ({
  browser,
}) => {
  const page = await signedIn(browser, "admin", { viewport: desk });
  await page.goto("/blueprints");
  await hydrated(page);
  const held = await hold("blueprints");
  await page.goto("/blueprints", { waitUntil: "commit" });
  await hydrated(page);
  await held.release();
  await page.evaluate(() => void Object.assign(globalThis, { samePage: true }));
  await page.getByRole("link", { name: /^View/ }).first().click();
  await expect(page).toHaveURL(/\/blueprints\/\d+$/);
  expect(await page.evaluate(() => "samePage" in globalThis)).toBe(true);
});

test("without JavaScript a late part is visible below the page, and nothing says that it is loading", async ({
  browser,
}) => {
  const page = await signedIn(browser, "admin", { viewport: phone, javaScriptEnabled: false });
  const held = await hold("blueprints");
  const opened = page.goto("/blueprints");
  await held.awaited();
  await held.release();
  await opened;
  const link = page.getByRole("link", { name: /^View/ }).first();
  await expect(link).toBeVisible();
  await expect(page.getByText("Loading...", { exact: true })).toBeHidden();
  // Below the title, without an empty screen between them.
  expect(await topOf(link)).toBeGreaterThan(await topOf(page.getByRole("heading", { level: 1 })));
  expect(await topOf(link)).toBeLessThan(phone.height);
});

test("on the way to a page whose data is slow the page opens and says Loading...; searching keeps the page", async ({
  browser,
}) => {
  const page = await signedIn(browser, "admin", { viewport: desk });
  const complaints = complaintsOf(page);
  await page.goto("/sessions");
  await hydrated(page);
  const releaseFirst = await holdRequests(page, "/api/v1/users?");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Users" }).click();
  await expect(page).toHaveURL(/\/users$/);
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
  await expect(page.getByText("Loading...", { exact: true })).toBeVisible();
  releaseFirst();
  await expect(page.getByRole("link", { name: /^View/ }).first()).toBeVisible();

  const releaseSearch = await holdRequests(page, "/api/v1/users?search=ana");
  await page.getByRole("searchbox").fill("ana");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Loading...", { exact: true })).toBeVisible();
  await expect(page.locator('[aria-busy="true"] table')).toBeVisible();
  releaseSearch();
  await expect(page.locator('[aria-busy="false"] table')).toBeVisible();
  await expect(page.getByText("ana@example.test", { exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a part that fails says so in the page, and can be tried again", async ({ browser }) => {
  const page = await signedIn(browser, "admin", { viewport: desk });
  await page.goto("/sessions");
  await hydrated(page);
  const bringBack = await intercept(page, "**/api/v1/books", (route) =>
    route.fulfill({ status: 503, json: { error: "away" } }),
  );
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("link", { name: "Books" }).click();
  await expect(page.getByRole("heading", { name: "Books", level: 1 })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("Back in a moment");
  bringBack();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByText("Payments to look at")).toBeVisible();
});

test("a menu that is opened before the scripts have come stays open when they run", async ({ browser }) => {
  const page = await signedIn(browser, "admin", { viewport: phone });
  const release = await holdRequests(page, ".js");
  await page.goto("/sessions", { waitUntil: "commit" });
  const menu = page.getByRole("dialog", { name: "Menu" });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(menu).toBeVisible();
  await expect(page.locator("#root[data-hydrated]")).toHaveCount(0);
  release();
  await hydrated(page);
  // The menu is hydrated after the page: once it takes a press, its effects have run.
  await expect(async () => {
    await menu.getByRole("radio", { name: "Dark", exact: true }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  }).toPass();
  await expect(menu).toBeVisible();
});

test("a page that was cut off loads what is missing", async ({ browser }) => {
  const page = await signedIn(browser, "admin", { viewport: desk });
  const held = await hold("blueprints");
  await page.route("**/blueprints", async (route) => {
    const response = await route.fetch();
    const [start = ""] = (await response.text()).split(/<script[^>]*>\(self\.lateParts/);
    await route.fulfill({ response, body: start });
  });
  const opened = page.goto("/blueprints");
  await held.awaited();
  await held.release();
  await opened;
  await expect(page.getByRole("link", { name: /^View/ }).first()).toBeVisible();
  await expect(page.getByText("Loading...", { exact: true })).toBeHidden();
});

/** Holds the page's requests whose address contains this text. @returns releases them. */
async function holdRequests(page: Page, part: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(
    (url) => url.href.includes(part),
    async (route) => {
      await released.promise;
      await route.continue();
    },
  );
  return released.resolve;
}

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}

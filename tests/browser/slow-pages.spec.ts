import { type HeldTable, holdTable } from "#tests/support/hold-table.ts";
import { desk, phone, signedIn, signedInAt } from "./players.ts";
import { complaintsOf } from "./support/complaints.ts";
import { type Locator, type Page, expect, hydrated, intercept, openLive, test } from "./support/journey.ts";
import { findProduct } from "./support/product.ts";

/** Makes all reads of a table wait that the running show does not need: the other journeys play it. */
async function hold(): Promise<HeldTable> {
  const product = findProduct();
  if (product === null) throw new Error("The product was not started.");
  return holdTable(product.ownerDatabaseUrl, "blueprints");
}

// A read that waits for longer than 30 s fails, and a busy machine takes long to start a page for the first time. So the scripts are
// there before, and only what has to happen meanwhile happens while the table is held.
test("a page is usable before its data is there, which comes live into it, and is loaded where the page was cut off", async () => {
  const page = await signedIn("admin", { viewport: desk });
  const complaints = complaintsOf(page);
  const view = page.getByRole("link", { name: /^View/ }).first();
  const loading = page.getByText("Loading...", { exact: true });
  await openLive(page, "/blueprints");
  const held = await hold();
  await page.goto("/blueprints", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "Blueprints", level: 1 })).toBeVisible();
  await expect(loading).toBeVisible();
  await hydrated(page);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
  await expect(view).toBeHidden();
  await held.release();
  await page.keyboard.press("Escape");
  await expect(view).toBeVisible();
  await expect(loading).toBeHidden();
  await page.waitForLoadState();
  await page.evaluate(() => void Object.assign(globalThis, { samePage: true }));
  await view.click();
  await expect(page).toHaveURL(/\/blueprints\/\d+$/);
  expect(await page.evaluate(() => "samePage" in globalThis)).toBe(true);
  expect(complaints).toEqual([]);
  await expectWholeAfterCut(page);
});

/** A page that was cut off loads what is missing. */
async function expectWholeAfterCut(page: Page): Promise<void> {
  const held = await hold();
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
}

test("without JavaScript a late part is visible below the page, and nothing says that it is loading", async () => {
  const page = await signedIn("admin", { viewport: phone, javaScriptEnabled: false });
  const held = await hold();
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

test("on the way to a page whose data is slow the page opens and says Loading...; searching keeps the page", async () => {
  const page = await signedIn("admin", { viewport: desk });
  const complaints = complaintsOf(page);
  await openLive(page, "/sessions");
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

test("a part that fails says so in the page, and can be tried again", async () => {
  const page = await signedInAt("admin", "/sessions", { viewport: desk });
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

test("a menu that is opened before the scripts have come stays open when they run; high contrast applies at once and stays", async () => {
  const page = await signedIn("admin", { viewport: phone });
  const release = await holdRequests(page, ".js");
  await page.goto("/sessions", { waitUntil: "commit" });
  const menu = page.getByRole("dialog", { name: "Menu" });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(menu).toBeVisible();
  await expect(page.locator("#root[data-hydrated]")).toHaveCount(0);
  release();
  await hydrated(page);
  // The menu is hydrated after the page: once it takes a press, its effects have run.
  const isPlain = () => expect(page.locator("html")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  const choice = menu.getByRole("radio", { name: "High contrast" });
  await expect(async () => {
    await choice.click();
    await isPlain();
  }).toPass();
  await expect(menu).toBeVisible();
  await page.reload();
  await isPlain();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(choice).toBeChecked();
  await menu.getByRole("radio", { name: "System" }).click();
  await expect(page.locator("html")).not.toHaveCSS("background-color", "rgb(255, 255, 255)");
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

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page, test as runner } from "playwright/test";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { desk, newPage, phone } from "./players.ts";
import { expectSound } from "./support/accessibility.ts";
import { complaintsOf } from "./support/complaints.ts";
import { hydrated, test } from "./support/journey.ts";

const STARTED_WITHIN_MS = 240_000;
const NAME = 'The "Old Tavern" <Quiz> on every Friday';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><path fill="#b4005a" d="M0 0h8v4H0z"/></svg>';
const PRIVACY = `# Privacy\n\nWhat is kept, and [the imprint](/pages/imprint).\n\n## For how long\n\n- A year\n- A day\n
| What | How long |\n| --- | --- |\n| A very long word: ${"a".repeat(60)} | A day |\n\n> A quote.\n\n\`\`\`\n${"code ".repeat(40)}\n\`\`\`\n`;

/** Opens the pages with the logo, the accent and the own pages, and leaves no complaint behind. */
async function walk(page: Page): Promise<void> {
  const complaints = complaintsOf(page);
  await page.goto("/users/sign_in");
  await hydrated(page);
  await expect(page).toHaveTitle(`Sign in · ${NAME}`);
  await expectSound(page);
  await page.goto("/users/guest_registration");
  await hydrated(page);
  await expectSound(page);
  await page.locator("footer").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { name: "Privacy", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(`Privacy · ${NAME}`);
  await expectSound(page);
  await page.getByRole("link", { name: `${NAME}, sessions` }).click();
  await hydrated(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  const [terms] = await Promise.all([
    page.context().waitForEvent("page"),
    page
      .getByRole("checkbox", { name: /^I accept/ })
      .locator("..")
      .getByRole("link")
      .click(),
  ]);
  await expect(terms).toHaveURL(/\/pages\/terms$/);
  await expect(terms.getByRole("heading", { name: "Our rules" })).toBeVisible();
  expect(complaints).toEqual([]);
}

test("a site has its own name, logo, accent and pages, on a phone in light and on a desk in dark", async () => {
  runner.setTimeout(STARTED_WITHIN_MS * 2);
  const { dataDir, remove } = makeDataFolder();
  const pages = path.join(dataDir, "pages");
  mkdirSync(pages);
  for (const [name, text] of [
    ["terms", "# Our rules\n\nBe kind."],
    ["privacy", PRIVACY],
    ["imprint", "# Imprint\n\nWe."],
  ] as const)
    writeFileSync(path.join(pages, `${name}.md`), text);
  const SITE_LOGO = path.join(dataDir, "logo.svg");
  writeFileSync(SITE_LOGO, LOGO);
  const site = { SITE_NAME: NAME, SITE_LOGO, SITE_ACCENT: "#ffcc00", SITE_PAGES: pages };
  const product = startProduct(dataDir, { ...site, DEMO: "off" });
  try {
    const baseURL = await product.url;
    await walk(await newPage({ baseURL, viewport: phone, colorScheme: "light" }));
    await walk(await newPage({ baseURL, viewport: desk, colorScheme: "dark" }));
  } finally {
    product.kill("SIGTERM");
    await product.exited;
    remove();
  }
});

import { expect, type Page, test as runner } from "playwright/test";
import { freePort } from "#tests/engines/free-port.ts";
import { startProvider } from "#tests/people/oidc/provider.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { newPage } from "./players.ts";
import { expectSound } from "./support/accessibility.ts";
import { hydrated, test } from "./support/journey.ts";

const STARTED_WITHIN_MS = 240_000;

/** Says at the provider who one is. */
async function comeIn(page: Page, person: string): Promise<void> {
  await page.getByLabel("Who are you?").fill(person);
  await page.getByRole("button", { name: "Come in" }).click();
}

test("people of an organisation sign in by the button, leave by the menu, and delete their account, on a phone", async () => {
  runner.setTimeout(STARTED_WITHIN_MS * 2);
  const url = `http://localhost:${freePort()}`;
  const provider = await startProvider(url);
  provider.people.set("mia", { email: "mia@example.test", email_verified: true, name: "Mia" });
  const { dataDir, remove } = makeDataFolder();
  const { port } = new URL(url);
  const settings = { ...provider.settings, OIDC_ONLY: "on", PORT: port, PUBLIC_URL: url, DEMO: "off" };
  const product = startProduct(dataDir, settings);
  try {
    await product.url;
    await walk(await newPage({ baseURL: url }));
    // Without JavaScript the same links and forms work.
    const plain = await newPage({ baseURL: url, javaScriptEnabled: false });
    await plain.goto("/users/sign_in?return_to=/leaderboard");
    await plain.getByRole("link", { name: "Sign in with Acme" }).click();
    await comeIn(plain, "mia");
    await expect(plain).toHaveURL(/\/leaderboard$/);
    await plain.goto("/profile");
    await plain.getByRole("button", { name: "Logout" }).click();
    await plain.getByRole("button", { name: "Sign out of Acme" }).click();
    await expect(plain.getByRole("link", { name: "Sign in with Acme" })).toBeVisible();
  } finally {
    product.kill("SIGTERM");
    await product.exited;
    await provider.stop();
    remove();
  }
});

async function walk(page: Page): Promise<void> {
  await page.goto("/users/sign_in?return_to=/profile");
  await hydrated(page);
  await expectSound(page);
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await comeIn(page, "mia");
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole("main").getByText("Mia", { exact: true })).toBeVisible();
  await hydrated(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("button", { name: "Sign out of Acme" }).click();
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await comeIn(page, "mia");
  await page.goto("/profile/account");
  await hydrated(page);
  await page.getByRole("button", { name: "Delete my account" }).click();
  const question = page.getByRole("alertdialog");
  const confirm = question.getByRole("button", { name: "Delete for good", exact: true });
  await expect(confirm).toHaveAccessibleDescription("First sign in with Acme once more");
  await expect(confirm).toBeDisabled();
  await question.getByRole("link", { name: "First sign in with Acme once more" }).click();
  await comeIn(page, "mia");
  await expect(page).toHaveURL(/\/profile\/account$/);
  await hydrated(page);
  await expectSound(page);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("button", { name: "Delete for good", exact: true }).click();
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
}

import { signedIn } from "./players.ts";
import { expect, goBack, test } from "./support/journey.ts";

/** One of the seeded sessions; it is over. */
const HISTORY = "/sessions/sports-night-final/history";

test("a player opens a receipt, follows it to its settlement, recomputes it, goes back, and takes all transactions as a file", async () => {
  const page = await signedIn("ana");
  await page.goto(`${HISTORY}?show=won`);
  const calls = page.getByRole("main").getByRole("listitem");
  const title = (await calls.first().getByRole("link").textContent()) ?? "";
  await calls.first().getByRole("link").click();
  await expect(page).toHaveURL(/\/history\/\d+\?show=won$/);
  const receipt = page.getByRole("article", { name: "Receipt" });
  await expect(receipt).toContainText(title);
  await expect(receipt).toContainText("In time by");
  await expect(page.getByRole("link", { name: "History" })).toHaveAttribute("aria-current", "page");

  await receipt.getByRole("link", { name: "How this was settled" }).click();
  await expect(page.getByRole("heading", { name: "How this was settled" })).toBeVisible();
  await page.getByRole("button", { name: "Recompute" }).click();
  const recomputed = page.getByText("Every payout is as the formula says.");
  await expect(recomputed).toBeVisible();

  await goBack(page);
  await expect(recomputed).toBeHidden();
  await goBack(page);
  await expect(receipt).toBeVisible();
  await page.getByRole("link", { name: "All calls" }).click();
  await expect(page).toHaveURL(`${HISTORY}?show=won`);
  await expect(calls.first()).toContainText(title);

  const waiting = page.waitForEvent("download");
  await page.goto("/profile/wallet");
  await page.getByRole("link", { name: "Export as CSV" }).click();
  expect((await waiting).suggestedFilename()).toMatch(/^called-it-transactions-\d+\.csv$/);
});

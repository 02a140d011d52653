import { uniqueNumber } from "#tests/support/unique-number.ts";
import { callOn, newPage, profileOf } from "./players.ts";
import { type Page, expect, test } from "./support/journey.ts";
import { startShow } from "./support/two-device-show.ts";

const WELCOME_CENTS = 10_000;

/** The form of a guest: one field more than the name. */
async function complete(page: Page, email: string, username: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Username").fill(username);
  await page.getByRole("button", { name: "Create Account" }).click();
}

// What the wall and the form say, also without JavaScript, is in tests/pages/ssr/guests; a new account is made in forgot-password.
test("a guest plays a call, is stopped elsewhere, completes the account, and keeps the call and the balance", async () => {
  const name = `newcomer_${uniqueNumber().slice(0, 9)}`;
  const { open, path } = await startShow();
  const page = await newPage();
  await page.goto(path);
  await expect(page.getByText("Watching. Join in one tap, no account.")).toBeVisible();
  for (const side of await page.getByRole("radio").all()) await expect(side).toBeDisabled();
  await page.getByRole("button", { name: "Play as guest" }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole("img", { name: "Available $100.00" })).toBeVisible();
  await page.getByRole("radio", { name: /You think/ }).click();
  await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  await expect.poll(() => callOn(page, open.id)).toBeDefined();
  const before = await profileOf(page);
  expect(before).toMatchObject({ guest: true, email: null });

  await page.goto("/leaderboard");
  await expect(page).toHaveURL("/guest");
  await page.getByRole("link", { name: "Create Account" }).click();

  await complete(page, "ana@example.test", name);
  await expect(page.getByText("Email has already been taken")).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to the live session" })).toBeVisible();
  await page.getByText("Choose a password now").click();
  expect(await profileOf(page)).toMatchObject({ id: before.id, guest: true, username: before.username });
  const email = `${name}@example.test`;
  await complete(page, email, name);
  await expect(page).toHaveURL(/\/sessions/);

  const after = await profileOf(page);
  expect(after).toMatchObject({ id: before.id, gid: before.gid, guest: false, username: name, email });
  const call = after.calls.find((made) => made.eventId === open.id);
  expect(call).toMatchObject({ wagerCents: 100 });
  expect(after.wallet.balanceCents).toBe(WELCOME_CENTS + (call?.netCents ?? 0));
  await page.goto("/profile");
  await expect(page.locator("#main").getByText(email)).toBeVisible();
});

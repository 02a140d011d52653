import { type Browser, expect, type Page } from "playwright/test";
import type { EventView } from "#src/show/events/schemas.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { callOn, phone, profileOf } from "./players.ts";
import { test } from "./support/journey.ts";
import { startShow } from "./support/two-device-show.ts";

const PASSWORD = "nine lives and a day";
const WELCOME_CENTS = 10_000;

/** Opens a new, signed-out browser context. */
async function stranger(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: phone })).newPage();
}

/** Opens a live session's link without a sign-in, and taps "Play as guest" there. */
async function playAsGuest(browser: Browser, slug: string): Promise<Page> {
  const page = await stranger(browser);
  await page.goto(`/sessions/${slug}`);
  await expect(page.getByText("Watching. Join in one tap, no account.")).toBeVisible();
  for (const side of await page.getByRole("radio").all()) await expect(side).toBeDisabled();
  await page.getByRole("button", { name: "Play as guest" }).click();
  await expect(page).toHaveURL(`/sessions/${slug}`);
  await expect(page.getByRole("img", { name: "Available $100.00" })).toBeVisible();
  return page;
}

async function place(page: Page, event: EventView): Promise<number> {
  await expect(page.getByRole("heading", { name: event.title })).toBeVisible();
  await page.getByRole("radio", { name: /You think/ }).click();
  await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  await expect.poll(() => callOn(page, event.id)).toBeDefined();
  return event.id;
}

const newName = () => `newcomer_${uniqueNumber().slice(0, 9)}`;

type Account = { email: string; username: string };

async function fillIn(page: Page, account: Account): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("I accept the terms").check();
  await complete(page, account);
}

/** The form of a guest: one field more than the name. */
async function complete(page: Page, account: Account): Promise<void> {
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Username").fill(account.username);
  await page.getByRole("button", { name: "Create Account" }).click();
}

async function expectInterstitial(page: Page): Promise<void> {
  await expect(page).toHaveURL("/guest");
  await expect(page.getByRole("heading", { name: "Welcome, guest user!" })).toBeVisible();
  await expect(
    page.getByText("To view the rest of the site, you need to finish creating your account."),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Create Account" })).toHaveAttribute(
    "href",
    "/users/guest_registration",
  );
}

test("a guest plays a call, is stopped elsewhere, completes the account, and keeps the call and the balance", async ({
  browser,
  baseURL,
}) => {
  const name = newName();
  const { open, slug } = await startShow(browser, baseURL ?? "");
  const page = await playAsGuest(browser, slug);
  const eventId = await place(page, open);
  const before = await profileOf(page);
  expect(before).toMatchObject({ guest: true, email: null });

  await page.goto("/leaderboard");
  await expectInterstitial(page);
  await expect(page.getByText(/and your rank come with you/)).toBeVisible();
  await page.getByRole("link", { name: "Create Account" }).click();

  await complete(page, { email: "ana@example.test", username: name });
  await expect(page.getByText("Email has already been taken")).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to the live session" })).toBeVisible();
  await page.getByText("Choose a password now").click();
  expect(await profileOf(page)).toMatchObject({ id: before.id, guest: true, username: before.username });
  await complete(page, { email: `${name}@example.test`, username: name });
  await expect(page).toHaveURL(/\/sessions/);

  const after = await profileOf(page);
  expect(after).toMatchObject({
    id: before.id,
    gid: before.gid,
    guest: false,
    username: name,
    email: `${name}@example.test`,
  });
  const call = after.calls.find((made) => made.eventId === eventId);
  expect(call).toMatchObject({ wagerCents: 100 });
  expect(after.wallet.balanceCents).toBe(WELCOME_CENTS + (call?.netCents ?? 0));
  await page.goto("/profile");
  await expect(page.locator("#main").getByText(`${name}@example.test`)).toBeVisible();
});

test("a new player creates an account from the sign-in page", async ({ browser }) => {
  const page = await stranger(browser);
  await page.goto("/users/sign_in");
  await page.getByRole("link", { name: "Create an account" }).click();
  // The page that is left has a field of this name too.
  await expect(page.getByRole("heading", { name: "Create your account", level: 1 })).toBeVisible();
  const field = page.getByLabel("Password", { exact: true });
  await field.fill(PASSWORD);
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(field).toHaveAttribute("type", "text");
  await expect(field).toHaveValue(PASSWORD);
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(field).toHaveAttribute("type", "password");
  const username = newName();
  await fillIn(page, { email: `${username}@example.test`, username });
  await expect(page).toHaveURL(/\/sessions/);
  expect(await profileOf(page)).toMatchObject({
    guest: false,
    username,
    wallet: { balanceCents: WELCOME_CENTS },
  });
});

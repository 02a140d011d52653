import { expect, test } from "playwright/test";
import { callOn, openEvent, profileOf, signedIn } from "./players.ts";

test("without script ben signs in, sees the question and places a call by a plain form", async ({
  browser,
}) => {
  const ben = await signedIn(browser, "ben", { javaScriptEnabled: false });
  const before = await profileOf(ben);
  const { event, slug } = await openEvent(ben, { secondsLeft: 6 });
  await ben.goto(`/sessions/${slug}`);
  await expect(ben.getByRole("heading", { name: event.title })).toBeVisible();
  await ben.getByRole("radio", { name: /You think/ }).click();
  await expect(ben.getByText(/Placed \d\d:\d\d:\d\d/)).toBeVisible();

  expect(await callOn(ben, event.id)).toMatchObject({ wagerCents: 100, side: "true" });
  const after = await profileOf(ben);
  expect(after.wallet.availableBalanceCents).toBeLessThan(before.wallet.availableBalanceCents + 1);
});

test("without script a wrong password is answered on the form, and signing out ends it", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/users/sign_in");
  await page.getByLabel("Email").fill("cleo@example.test");
  await page.getByLabel("Password").fill("not-the-password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Invalid credentials or password.")).toBeVisible();
  await page.getByLabel("Password").fill("called-it-demo");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/sessions/);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/sign_in/);
  expect((await context.request.get("/api/v1/users/me")).status()).toBe(401);
});

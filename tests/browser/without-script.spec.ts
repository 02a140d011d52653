import { expect } from "playwright/test";
import { callOn, openEvent, profileOf, signedInByForm } from "./players.ts";
import { test } from "./support/journey.ts";

test("without script the host signs in, sees the question and places a call by a plain form", async ({
  browser,
}) => {
  const host = await signedInByForm(browser, "admin", { javaScriptEnabled: false });
  const { event, slug } = await openEvent(host, { secondsLeft: 6 });
  await host.goto(`/sessions/${slug}`);
  await expect(host).toHaveURL(`/sessions/${slug}/admin`);
  await host.getByRole("link", { name: "Action", exact: true }).click();
  await expect(host.getByRole("heading", { name: event.title })).toBeVisible();
  await host.getByRole("radio", { name: /You think/ }).click();
  await expect(host.getByText(/Placed \d\d:\d\d:\d\d/)).toBeVisible();

  expect(await callOn(host, event.id)).toMatchObject({ wagerCents: 100, side: "true" });
  expect((await profileOf(host)).wallet.heldCents).toBe(100);
});

test("without script a wrong password is reported on the form, and the player signs in and out", async ({
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

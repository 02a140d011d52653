import { readFileSync } from "node:fs";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs, newPage, signedIn } from "./players.ts";
import { violationsOf } from "./support/accessibility.ts";
import { type Page, expect, test } from "./support/journey.ts";

const DAY_MS = 86_400_000;

test("everybody puts a planned session into a calendar, and a player with an address asks for a mail", async () => {
  const host = await apiAs("admin");
  const tomorrow = {
    name: `Quiz night ${Date.now()}`,
    starts_at: new Date(Date.now() + DAY_MS).toISOString(),
  };
  const { session } = await host<{ session: SessionView }>("POST", "/api/v1/sessions", { session: tomorrow });
  const { slug, name } = session;
  const stranger = await newPage({ javaScriptEnabled: false });
  await stranger.goto(`/sessions/${slug}/remind`);
  await expect(stranger.getByText("Sign in to be reminded")).toBeVisible();
  await expectCalendar(stranger, name);

  const ben = await signedIn("ben");
  await ben.goto(`/sessions/${slug}/remind`);
  await expectCalendar(ben, name);
  await expect(ben.getByText(/^Notify me on this device/)).toBeVisible();
  expect(await violationsOf(ben)).toEqual([]);
  await ben.getByRole("button", { name: "Remind me by mail" }).click();
  await expect(ben.getByText("You get a mail 10 minutes before it starts.")).toBeVisible();
  expect(await violationsOf(ben)).toEqual([]);
  await ben.getByRole("button", { name: "Do not remind me" }).click();
  await expect(ben.getByRole("button", { name: "Remind me by mail" })).toBeVisible();
});

async function expectCalendar(page: Page, name: string): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Add to my calendar" }).click(),
  ]);
  const file = readFileSync(await download.path(), "utf8");
  expect(file).toContain(`SUMMARY:${name}\r\n`);
  expect(file).toContain("TRIGGER:-PT10M");
}

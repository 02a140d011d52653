import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "playwright/test";
import { eventsOf, openEvent, signedIn } from "./players.ts";
import { test } from "./support/journey.ts";

const CALLS_MIN = 4;
const playScreen = path.join(import.meta.dirname, "pictures/play-screen.png");

// README.md shows this picture. To take a new one, delete it and run the tests.
test("the play screen is photographed for the README", async ({ browser }) => {
  const ben = await signedIn(browser, "ben", { deviceScaleFactor: 2 });
  const { event, slug } = await openEvent(ben, { secondsLeft: 14 });
  await ben.goto(`/sessions/${slug}`);
  await ben.locator("#root[data-hydrated]").waitFor();
  await expect(ben.getByRole("heading", { name: event.title })).toBeVisible();
  await ben.getByRole("button", { name: "$5", exact: true }).click();
  await ben.getByRole("radio", { name: /You think/ }).click();
  await expect(ben.getByText(/^Placed \d\d:\d\d:\d\d/)).toBeVisible();
  await expect(async () => {
    const { events } = await eventsOf(ben, slug);
    expect(events.find(({ id }) => id === event.id)?.callsCount).toBeGreaterThan(CALLS_MIN);
  }).toPass();
  await ben.evaluate(() => document.fonts.ready.then(() => undefined));
  const picture = await ben.screenshot();
  if (existsSync(playScreen)) return;
  mkdirSync(path.dirname(playScreen), { recursive: true });
  writeFileSync(playScreen, picture);
});

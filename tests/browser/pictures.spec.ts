import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { eventsOf, openEvent, signedIn } from "./players.ts";

const CALLS_MIN = 4;
const playScreen = path.join(import.meta.dirname, "pictures/play-screen.png");

// README.md shows this picture. To take it anew, remove it and run the tests.
test("the play screen stands still for its picture", async ({ browser }) => {
  const ana = await signedIn(browser, "ana", { deviceScaleFactor: 2 });
  const { event, slug } = await openEvent(ana, { secondsLeft: 14 });
  await ana.goto(`/sessions/${slug}`);
  await ana.locator("#root[data-hydrated]").waitFor();
  await expect(ana.getByRole("heading", { name: event.title })).toBeVisible();
  await ana.getByRole("button", { name: "$5", exact: true }).click();
  await ana.getByRole("radio", { name: /You think/ }).click();
  await expect(ana.getByText(/^Placed \d\d:\d\d:\d\d/)).toBeVisible();
  await expect(async () => {
    const { events } = await eventsOf(ana, slug);
    expect(events.find(({ id }) => id === event.id)?.callsCount).toBeGreaterThan(CALLS_MIN);
  }).toPass();
  await ana.evaluate(() => document.fonts.ready.then(() => undefined));
  const picture = await ana.screenshot();
  if (existsSync(playScreen)) return;
  mkdirSync(path.dirname(playScreen), { recursive: true });
  writeFileSync(playScreen, picture);
});

import { signedIn } from "./players.ts";
import { type BrowserContext, type Page, expect, hydrated, openLive, test } from "./support/journey.ts";

declare global {
  interface Window {
    /** What the page has played and vibrated. */
    felt: string[];
  }
}

/** Records the notes that a page plays, instead of playing them. */
async function record(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.felt = [];
    OscillatorNode.prototype.start = function record(this: OscillatorNode) {
      window.felt.push(`note ${this.frequency.value}`);
    };
    OscillatorNode.prototype.stop = () => undefined;
    Object.defineProperty(navigator, "vibrate", {
      value: (pattern: number[]) => window.felt.push(`vibration ${pattern.join(" ")}`),
    });
  });
}

const felt = (page: Page) => page.evaluate(() => window.felt);
const chunks = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => /\/play-cues-/.test(name)),
  );

test("sound and vibration are off until the player switches them on, on this device and in all its tabs", async () => {
  const context = (await signedIn("ben")).context();
  await record(context);
  const [page, other] = [await context.newPage(), await context.newPage()];
  for (const tab of [page, other]) {
    await openLive(tab, "/profile");
    expect(await chunks(tab)).toEqual([]);
  }
  await page.getByRole("button", { name: /^Menu/ }).press("Enter");
  const toggle = page.getByRole("switch", { name: "Sound and vibration" });
  await expect(toggle).toHaveAttribute("aria-checked", "false");
  await toggle.press("Space");
  await expect(toggle).toHaveAttribute("aria-checked", "true");
  // It says how it sounds.
  await expect.poll(() => felt(page)).toEqual(["note 520", "vibration 30"]);
  await expect.poll(() => chunks(other)).toHaveLength(1);
  expect(await felt(other)).toEqual([]);

  await page.reload();
  await hydrated(page);
  await expect.poll(() => chunks(page)).toHaveLength(1);
  // Nothing is heard before a touch.
  expect(await felt(page)).toEqual([]);
  await page.getByRole("button", { name: /^Menu/ }).press("Enter");
  await page.getByRole("switch", { name: "Sound and vibration" }).press("Enter");
  await expect(page.getByRole("switch", { name: "Sound and vibration" })).toHaveAttribute(
    "aria-checked",
    "false",
  );
  expect(await felt(page)).toEqual([]);
  await page.reload();
  await hydrated(page);
  expect(await chunks(page)).toEqual([]);
});

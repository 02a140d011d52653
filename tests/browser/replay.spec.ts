import { desk, signedIn } from "./players.ts";
import { expectSound } from "./support/accessibility.ts";
import { type Page, expect, intercept, openLive, stopClock, test } from "./support/journey.ts";

/** One of the seeded sessions; it is over. */
const SEEDED = "sports-night-final";
const RECOMPUTATIONS = "**/api/v1/decisions/*/recomputation";
const PLAYED_S = 2;
const SECOND_MS = 1_000;

test("an admin plays a session that is over at each speed, jumps to results, recomputes all payouts, and takes its files", async () => {
  const page = await signedIn("admin", { viewport: desk });
  await page.clock.install();
  await openLive(page, `/sessions/${SEEDED}/replay`);
  await expect(slider(page)).toBeVisible();
  await expectSound(page);
  await jump(page);
  await recompute(page);
  await download(page);
  // From here on the page's clock moves only as far as it is told.
  await stopClock(page);
  await playAtEachSpeed(page);
});

const slider = (page: Page) => page.getByRole("slider", { name: "Time" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const valueOf = async (page: Page) => Number(await slider(page).inputValue());

/** To the results and back, by the buttons; to the ends, by the keys of a slider. */
async function jump(page: Page): Promise<void> {
  await expect(button(page, "Previous result")).toBeDisabled();
  await button(page, "Next result").click();
  await expect(page.getByText(/^Result 1 of \d+$/)).toBeVisible();
  const first = await valueOf(page);
  await button(page, "Next result").click();
  await expect(page.getByText(/^Result 2 of \d+$/)).toBeVisible();
  expect(await valueOf(page)).toBeGreaterThan(first);
  await button(page, "Previous result").click();
  await expect(slider(page)).toHaveValue(String(first));
  await slider(page).press("ArrowRight");
  await expect(slider(page)).toHaveValue(String(first + 1));
  await slider(page).press("End");
  await expect(slider(page)).toHaveValue((await slider(page).getAttribute("max")) ?? "");
  await expect(button(page, "Next result")).toBeDisabled();
}

/** The check is stopped on its way, and then done to its end. */
async function recompute(page: Page): Promise<void> {
  let answered = 0;
  const stopHolding = await intercept(page, RECOMPUTATIONS, async (route) => {
    answered += 1;
    if (answered === 1) await route.continue();
  });
  await button(page, "Recompute everything").click();
  await expect(page.getByText(/^1 of \d+ checked/)).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Recompute everything" })).toHaveAttribute("value", "1");
  await button(page, "Stop").click();
  await expect(page.getByText(/^Stopped after 1 of \d+\.$/)).toBeVisible();
  stopHolding();
  await button(page, "Recompute everything").click();
  await expect(page.getByText(/^All payouts match: \d+ decisions/)).toBeVisible();
  await expect(button(page, "Stop")).toBeHidden();
}

async function download(page: Page): Promise<void> {
  for (const [name, type] of [
    ["JSON", "application/json"],
    ["CSV", "text/csv"],
  ] as const) {
    const link = page.getByRole("link", { name, exact: true });
    const file = await page.request.get((await link.getAttribute("href")) ?? "");
    expect([file.status(), file.headers()["content-type"]]).toEqual([200, expect.stringContaining(type)]);
    expect((await file.body()).length).toBeGreaterThan(SECOND_MS);
  }
}

/** A second of the page's clock moves the replay by as many seconds as the speed says. */
async function playAtEachSpeed(page: Page): Promise<void> {
  for (const speed of [1, 2, 4, 8, 16, 32]) {
    const name = speed === 1 ? "Normal speed" : `${speed} times as fast`;
    await page.getByRole("radio", { name, exact: true }).check({ force: true });
    await slider(page).press("Home");
    await button(page, "Play").click();
    await page.clock.runFor(PLAYED_S * SECOND_MS);
    // Whole seconds are shown.
    await expect.poll(() => valueOf(page)).toBeGreaterThanOrEqual(speed * PLAYED_S - 1);
    expect(await valueOf(page)).toBeLessThanOrEqual(speed * PLAYED_S);
    await button(page, "Pause").click();
  }
}

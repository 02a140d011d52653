import type { CallView } from "#src/play/calls/schemas.ts";
import { apiAs, phone } from "./players.ts";
import { type Api, apiOf } from "./show-host.ts";
import {
  type BrowserContext,
  type Page,
  expect,
  hydrated,
  newContext,
  openLive,
  productUrl,
  test,
} from "./support/journey.ts";
import { side, watchAlerts } from "./support/one-phone-show.ts";
import { ask, runSession } from "./support/own-show.ts";
import { decide } from "./support/two-device-show.ts";

const DELAY_S = 5;
const DELAY_MS = DELAY_S * 1_000;
const OPEN_FOR_S = 20;
/** By so much the page's clock may differ from the server's. */
const CLOCK_ERROR_MS = 200;

declare global {
  interface Window {
    /** Every text of the page, and when it was there first. */
    shown: { atMs: number; text: string }[];
  }
}

type Player = { context: BrowserContext; api: Api };

/** A guest on a device, with or without a delay. All texts of its pages are recorded. */
async function guestOn(delaySeconds: number): Promise<Player> {
  const context = await newContext({ viewport: phone });
  if (delaySeconds > 0)
    await context.addCookies([{ name: "delay", value: String(delaySeconds), url: productUrl() }]);
  await context.addInitScript(() => {
    window.shown = [];
    let last = "";
    setInterval(() => {
      const text = `${document.title} ${document.querySelector("body")?.innerText ?? ""}`;
      if (text !== last) window.shown.push({ atMs: Date.now(), text });
      last = text;
    }, 200);
  });
  const api = apiOf(context);
  await api("POST", "/users/guest");
  return { context, api };
}

/** When the page first showed a text, in ms since 1970; infinity if it never has. */
function firstTold(page: Page, pattern: RegExp): Promise<number> {
  return page.evaluate((source) => {
    const first = window.shown.find(({ text }) => new RegExp(source).test(text));
    return first?.atMs ?? Number.POSITIVE_INFINITY;
  }, pattern.source);
}

/** The page has shown that it is catching up: on a busy machine that may be over when somebody looks. */
async function expectCaughtUp(page: Page): Promise<void> {
  await expect
    .poll(() => firstTold(page, /Catching up with your delay/))
    .toBeLessThan(Number.POSITIVE_INFINITY);
}

/** The first moment at which a delayed page may show what happened then. */
function shownFrom(happenedAt: string | null): number {
  return Date.parse(happenedAt ?? "") + DELAY_MS - CLOCK_ERROR_MS;
}

/** A device with a delay on the session's page, once it has caught up. */
async function openDelayed({ context }: Player, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await expectCaughtUp(page);
  await hydrated(page);
  await expect(page.getByText(`${DELAY_S} s behind`, { exact: true })).toBeVisible();
  return page;
}

type Seen = { card: string; side: string };

/**
 * Presses a side in the moment in which the ticker says these words, and the side others: on a busy machine that is over when somebody
 * looks.
 * @returns what the page shows then.
 */
function pressOnceTold(page: Page, name: "true" | "false", words: { ticker: RegExp; side: RegExp }) {
  return page.evaluate<Seen, { selector: string; ticker: string; side: string }>(
    (told) =>
      new Promise((resolve) => {
        const textOf = (element: Element | null) => element?.textContent ?? "";
        const look = () => {
          const pressed = document.querySelector<HTMLElement>(told.selector);
          const isTold =
            new RegExp(told.ticker).test(textOf(document.querySelector(".ticker"))) &&
            new RegExp(told.side).test(`${textOf(pressed)} disabled: ${pressed?.ariaDisabled}`);
          if (!isTold) return;
          clearInterval(looking);
          resolve({ card: textOf(document.querySelector(".card")), side: textOf(pressed) });
          pressed?.click();
        };
        const looking = setInterval(look, 100);
      }),
    { selector: `.side.${name}`, ticker: words.ticker.source, side: words.side.source },
  );
}

/** After the true close the card still shows the action as open, and the sides say why they take no call. */
async function expectRefusedInGap(page: Page): Promise<void> {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const reason = `Calls have really closed (your delay is ${DELAY_S} s).`;
  const isTold = await watchAlerts(page, reason);
  const seen = await pressOnceTold(page, "false", {
    ticker: new RegExp(RegExp.escape(reason)),
    side: /Closed already.* disabled: true/,
  });
  expect(seen.card).toMatch(/Open|Closing/);
  await isTold();
  expect(requests).not.toContain("POST /api/v1/calls");
}

test("a device with a stream delay shows nothing early, and calls count until the true close and not after it", async () => {
  const host = await apiAs("admin");
  const session = await runSession(host, "Behind");
  const [prompt, late] = [await guestOn(0), await guestOn(DELAY_S)];
  const path = `/sessions/${session.slug}`;
  const promptPage = await prompt.context.newPage();
  await promptPage.goto(path);
  const latePage = await openDelayed(late, path);

  const event = await ask(host, session.id, "Will it rain?", { duration_seconds: OPEN_FOR_S });
  await expect(promptPage.getByRole("heading", { name: "Will it rain?" })).toBeVisible();
  await side(promptPage, "False").click();
  await expect(latePage.getByRole("heading", { name: "Will it rain?" })).toBeVisible();
  expect(await firstTold(latePage, /Will it rain\?/)).toBeGreaterThan(shownFrom(event.openedAt));

  // Shortly before the true close the page says so, and still takes a call.
  await pressOnceTold(latePage, "true", {
    ticker: new RegExp(`Calls really close in 0:\\d\\d \\(your delay is ${DELAY_S} s\\)\\.`),
    side: /disabled: false/,
  });
  await expect(latePage.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  await expectRefusedInGap(latePage);

  await decide({ host }, event, true);
  await expect(promptPage.getByText("It went the other way").first()).toBeVisible();

  // Neither the open page nor another one of the same device tells it early, and the balance does not either.
  const otherPage = await late.context.newPage();
  await otherPage.goto("/profile/wallet");
  await expectCaughtUp(otherPage);
  await expect(latePage.getByText("You called it").first()).toBeVisible();
  for (const page of [latePage, otherPage])
    await expect(page.getByRole("img", { name: "Available $101.00" })).toBeVisible();
  const [call] = (await late.api<{ calls: CallView[] }>("GET", "/api/v1/calls")).calls;
  expect([call?.side, call?.outcome]).toEqual(["true", "won"]);
  const signs = /You called it|It went|\+\$1\.00|\$101\.00|Resolved|Won|True: 1 of 2/;
  for (const page of [latePage, otherPage])
    expect(await firstTold(page, signs)).toBeGreaterThan(shownFrom(call?.resolvedAt ?? null));
  expect(await firstTold(promptPage, signs)).toBeLessThan(await firstTold(latePage, signs));
});

test("the delay is set in the menu by keyboard, covers the other tabs too, and is turned off again", async () => {
  const session = await runSession(await apiAs("admin"), "Behind");
  const { context } = await guestOn(0);
  const page = await context.newPage();
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await openLive(tab, `/sessions/${session.slug}`);
  }
  await page.getByRole("button", { name: /^Menu/ }).press("Enter");
  const slider = page.getByRole("slider", { name: "Stream delay" });
  await expect(slider).toHaveAttribute("aria-valuetext", "Off");
  for (let step = 0; step < 3; step += 1) await slider.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", "15 seconds");
  // With the longest delay the pages are still hidden when it is turned off.
  await slider.press("End");
  await page.getByRole("button", { name: "Use 120 s" }).press("Enter");

  for (const tab of [page, other]) {
    await expect(tab.getByRole("heading", { name: "Catching up with your delay" })).toBeVisible();
    await expect(tab.getByRole("timer")).toHaveText(/Starts in \d:\d\d/);
    await expect(tab.getByRole("banner")).toBeHidden();
  }
  await page.reload();
  // The page is hidden, and live.
  await page.locator("#root[data-hydrated]").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Turn the delay off" }).click();
  for (const tab of [page, other]) await expect(tab.getByText("In sync")).toBeAttached();
  expect((await context.cookies()).some(({ name }) => name === "delay")).toBe(false);
});

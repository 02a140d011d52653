import { type Browser, type BrowserContext, expect, type Page } from "playwright/test";
import { chromiumFlags, requireShell } from "#tests/support/chromium.ts";
import { apiAs, desk, newPlayer, phone, signedIn } from "./players.ts";
import { violationsOf } from "./support/accessibility.ts";
import { type Fallback, fallbacks, showInFallback, showInFont } from "./support/fonts.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { PROOF, hydrated, newContext, openLive, productUrl, test, use } from "./support/journey.ts";
import {
  LABELS,
  layoutShiftOf,
  recordLayoutShifts,
  rowsOf,
  takeMovedParts,
} from "./support/layout-shifts.ts";
import { CELEBRATED_WITHIN_S, motionOf } from "./support/motions.ts";
import { paintOf } from "./support/paint.ts";
import { allScreens, dailyScreens, type Screen } from "./support/player-screens.ts";
import { holdResultBars } from "./support/result-bar.ts";
import { callSide, startShow } from "./support/two-device-show.ts";
import { type CardState, prepareShow, walkThroughStates } from "./support/walk-through-states.ts";

for (const { screens, tag } of [
  { screens: dailyScreens, tag: [] },
  ...allScreens.map((screens) => ({ screens, tag: [PROOF] })),
]) {
  const names = screens.map(({ name }) => name).join("; ");
  test(
    `in every state nothing is cut off, covered, too small or inaccessible, and nothing moves: ${names}`,
    { tag },
    async ({ browser }) => {
      test.slow();
      const contexts = await Promise.all(screens.map((screen) => openBrowser(browser, screen)));
      const show = await prepareShow(await apiAs("admin"), contexts);
      const url = `${productUrl()}/sessions/${show.session.slug}`;
      const players = await Promise.all(
        screens.map(async (screen, index) => ({ screen, page: await open(contexts[index], url) })),
      );
      const places = new Map<string, string[]>();
      await walkThroughStates(show, async (state) => {
        await Promise.all(players.map(async ({ page }) => state.page?.enter(page)));
        for (const player of players) await lookAt(player, state, places);
        await Promise.all(players.map(async ({ page }) => state.page?.leave(page)));
      });
      for (const own of contexts.map((context) => context.browser())) if (own !== browser) await own?.close();
    },
  );
}

/**
 * The browser of a player, perhaps one that is set to another text size. Nothing is looked at while it comes in: a part that appears
 * during a look is at its place and opaque at once.
 */
async function openBrowser(
  browser: Browser,
  { options, textPx, withoutFont }: Screen,
): Promise<BrowserContext> {
  const args = [...chromiumFlags, `--blink-settings=defaultFontSize=${textPx}`];
  const own =
    textPx === undefined
      ? browser
      : await browser.browserType().launch({ executablePath: requireShell(), args });
  const context = await own.newContext({ ...options, reducedMotion: "reduce" });
  await recordLayoutShifts(context);
  if (withoutFont === true) await context.route("**/*.woff2", (route) => route.abort());
  else await showInFont(context);
  return context;
}

type Player = { screen: Screen; page: Page };

/** @param places where the rows of each screen, and the labels of a question on it, were in the first state. */
async function lookAt(
  { screen, page }: Player,
  { name, text, page: comesFrom, isNews }: CardState,
  places: Map<string, string[]>,
): Promise<void> {
  const isShown = () =>
    expect(page.locator("main").getByText(text).filter({ visible: true }).first()).toBeVisible();
  await isShown();
  expect.soft(await complaintsIn(page, screen), `${screen.name}: ${name}`).toEqual([]);
  if (name === "called" && screen.options.forcedColors === "active") await expectToldApart(page);
  if (name === "won" && screen.options.forcedColors !== "active") await expectCelebrated(page);
  await expectKept(page, text);
  // A page that is zoomed in is as long as its content, and at its end there is nothing to call.
  if (screen.isZoomed === true || name === "over" || name === "catching up") return;
  const rows = await rowsOf(page);
  expectSame(places, screen.name, { now: rows, state: name });
  const labels = await rowsOf(page, LABELS);
  const question = `${screen.name}: ${name.startsWith("long") ? "long" : "short"} labels`;
  expectSame(places, question, { now: labels, state: name });
  if (screen.reloads !== true || comesFrom !== undefined || isNews === true) return;
  await page.reload();
  await isShown();
  await expectStill(page, SHIFT_MAX, `${screen.name}: ${name}, loaded`);
}

function expectSame(
  places: Map<string, string[]>,
  key: string,
  { now, state }: { now: string[]; state: string },
): void {
  expect.soft(now, `${key}: ${state}`).toEqual(places.get(key) ?? now);
  places.set(key, now);
}

/** Whatever else there is to say of a win that few saw, a guest reads what an account keeps. */
async function expectKept(page: Page, text: CardState["text"]): Promise<void> {
  if (!text.toString().includes("Only you and")) return;
  await expect.soft(page.locator(".result").getByRole("link", { name: /^Keep your/ })).toBeVisible();
}

/** What differs by its colours elsewhere differs in forced colours as well. */
async function expectToldApart(page: Page): Promise<void> {
  const called = await paintOf(page.locator(".side.mine-side"));
  expect.soft(await paintOf(page.locator(".side:not(.mine-side)"))).not.toEqual(called);
  const yes = await paintOf(page.locator(".card .pool .bar i:first-child"));
  expect.soft(await paintOf(page.locator(".card .pool .bar i:last-child"))).not.toEqual(yes);
  const pressed = await paintOf(page.locator('.amounts [aria-pressed="true"]'));
  expect.soft(await paintOf(page.locator('.amounts [aria-pressed="false"]'))).not.toEqual(pressed);
}

/** The card turns over and the mark rises, for a moment; neither where the player prefers less motion. */
async function expectCelebrated(page: Page): Promise<void> {
  const card = page.locator(".card.won");
  const motions = () =>
    Promise.all([motionOf(card.locator(".result")), motionOf(card.locator(".burst svg"))]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const celebrated = await motions();
  expect.soft(celebrated).toMatchObject([{ name: "flip" }, { name: "rise" }]);
  for (const { seconds, count } of celebrated) {
    expect.soft(seconds).toBeLessThanOrEqual(CELEBRATED_WITHIN_S);
    expect.soft(count).toBe("1");
  }
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect.soft(await motions()).toMatchObject([{ name: "none" }, { name: "none" }]);
}

/** Nothing that is seen moves. What is live on the front door may change while it is loaded, within its place: up to 0.004. */
const SHIFT_MAX = 0.005;
const SMALL_PHONE = { width: 320, height: 568 };
const sizes = [SMALL_PHONE, phone, { width: 360, height: 640 }, { width: 768, height: 1_024 }, desk];

/** Each day each page is loaded in one of the fonts; with the proofs in each. */
for (const { viewport, isProof } of [
  { viewport: SMALL_PHONE, isProof: false },
  ...sizes.map((size) => ({ viewport: size, isProof: true })),
]) {
  const fonts = isProof ? "each font" : "one of the fonts";
  test(
    `while a page of ${viewport.width} px is loaded in ${fonts} that devices have, and ours arrives, nothing on it moves`,
    { tag: isProof ? [PROOF] : [] },
    async () => {
      // In a show of its own nothing changes while its page is loaded.
      const { path: at, open: question } = await startShow();
      const { page, api: player } = await newPlayer("still");
      const caller = page.context();
      await callSide(player, question, "true");
      // Players are led from the list of sessions to the live one.
      const host = await signedIn("admin");
      const loads = [
        { who: null, paths: ["/users/sign_in", "/terms"] },
        { who: caller, paths: [at, `${at}/history`, "/profile/wallet", "/profile"] },
        { who: host.context(), paths: ["/sessions"] },
      ].flatMap(({ who, paths }) => paths.map((path) => ({ who, path })));
      for (const [turn, fallback] of fallbacks.entries()) {
        const due = loads.filter((_, index) => isProof || index % fallbacks.length === turn);
        for (const who of new Set(due.map((load) => load.who))) {
          const state = await who?.storageState();
          const context = await newContext({ viewport, ...(state && { storageState: state }) });
          const paths = due.filter((load) => load.who === who).map(({ path }) => path);
          await expectAllStill(context, { fallback, paths, again: turn === 0 });
        }
      }
    },
  );
}

type Loads = { fallback: Fallback; paths: readonly string[]; again: boolean };

/** Opens each page as the first one, to which the font comes while it is open, and once again as one that begins in it. */
async function expectAllStill(context: BrowserContext, { fallback, paths, again }: Loads): Promise<void> {
  await showInFallback(context, fallback);
  await recordLayoutShifts(context);
  const page = await context.newPage();
  for (const path of paths) {
    await context.clearCookies({ name: "time_zone" });
    await page.goto(path);
    await expectStill(page, SHIFT_MAX, `${path} in ${fallback}`);
    if (!again) continue;
    await page.reload();
    await expectStill(page, SHIFT_MAX, `${path} again`);
  }
  await context.close();
}

/** Once it is live and used, and the browser has the font, nothing has moved on a page by more than this. */
async function expectStill(page: Page, shiftMax: number, what = page.url()): Promise<void> {
  await hydrated(page);
  await use(page);
  await fontKept(page);
  const liveBar = page.locator(".live-bar");
  if (await liveBar.isVisible()) await expect(liveBar).toContainText("Live: ");
  const [shift, moved] = [await layoutShiftOf(page), await takeMovedParts(page)];
  expect.soft(shift, `${what}\n${moved.join("\n")}`).toBeLessThan(shiftMax);
}

/** Waits until the browser has the font. */
async function fontKept(page: Page): Promise<void> {
  const fetched = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  await expect.poll(fetched).toContainEqual(expect.stringMatching(/\.woff2$/));
}

async function open(context: BrowserContext | undefined, url: string): Promise<Page> {
  if (context === undefined) throw new Error("The player has no browser.");
  const page = await context.newPage();
  await openLive(page, url);
  await holdResultBars(page);
  return page;
}

async function complaintsIn(page: Page, { withAxe = false }: Screen): Promise<string[]> {
  return [...(await inspectPage(page)), ...(withAxe ? await violationsOf(page) : [])];
}

import { type Browser, expect, type Page } from "playwright/test";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { activeSlug, desk, leadersOf, phone, signedIn } from "./players.ts";
import { type Api, apiOf, guestAt } from "./show-host.ts";
import { fontsOf } from "./support/fonts.ts";
import { intercept } from "./support/intercept.ts";
import { PROOF, test } from "./support/journey.ts";
import { differencesOf, loadStyles, readLook } from "./support/look.ts";
import { use } from "./support/use-page.ts";

const REST = /\/assets\/styles-[^/]*\.css$/;
const FONT = /\.woff2$/;
/** As the font names itself: "Archivo SemiBold". */
const OWN_FONT = expect.stringMatching(/^Archivo /);

test("the play screen is painted, styled and live while the other styles and the font do not answer", async ({
  browser,
}) => {
  const page = await signedIn(browser, "ben");
  const slug = await activeSlug(page);
  // No answer: the request stays open.
  for (const files of [REST, FONT]) await page.route(files, () => undefined);
  await page.goto(`/sessions/${slug}`, { waitUntil: "commit" });
  await page.locator("#root[data-hydrated]").waitFor();
  const painted = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
  await expect.poll(painted).toBe(1);
  // One screen without scrolling: without its styles the page would be much longer.
  const heightOf = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
  expect(await heightOf(".play")).toBe(phone.height);
  expect(await heightOf(".play > .topbar")).toBe(48);
  const loaded = () => page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ""));
  expect((await loaded()).filter((url) => REST.test(url))).toEqual([]);
});

test("where colours are forced, or the theme is of high contrast, the first paint has it", async ({
  browser,
}) => {
  for (const options of [{ forcedColors: "active" }, { contrast: "more" }, {}] as const) {
    const page = await signedIn(browser, "ben", options);
    const { origin } = new URL(page.url());
    if (Object.keys(options).length === 0)
      await page.context().addCookies([{ name: "theme", value: "contrast", url: origin }]);
    await page.route(REST, () => undefined);
    await page.goto(`/sessions/${await activeSlug(page)}`, { waitUntil: "commit" });
    const paints = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
    await expect.poll(paints).toBe(1);
    const ground = page.locator("html");
    await expect(ground).toHaveCSS("background-color", "rgb(255, 255, 255)");
    await page.context().close();
  }
});

test("a browser that has the styles of the first screen gets a link to them, and the page looks the same", async ({
  browser,
}) => {
  // A visitor's page shows no balance, which changes while others play.
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  await page.route(FONT, (route) => route.abort());
  const inline = page.locator("style[data-file]");
  const open = async () => {
    await page.goto("/terms");
    await page.locator("#root[data-hydrated]").waitFor();
  };
  await page.context().clearCookies({ name: "styles" });
  await open();
  await expect(inline).toHaveCount(1);
  const before = await readLook(page);
  await page.mouse.click(1, 1);
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain("styles=first-screen-");
  await open();
  await expect(inline).toHaveCount(0);
  expect(differencesOf(before, await readLook(page))).toEqual([]);
});

test("the font is fetched once a first page is live, which stays in its fallback, and the next page begins in it", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  const live = page.locator("#root[data-hydrated]");
  const liveAtRequest: Promise<number>[] = [];
  page.on("request", (request) => FONT.test(request.url()) && liveAtRequest.push(live.count()));
  await page.goto("/terms");
  await live.waitFor();
  await use(page);
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain("styles=first-screen-");
  expect(await Promise.all(liveAtRequest)).toEqual([1]);
  expect(await fontsOf(page, "h1")).not.toEqual([OWN_FONT]);
  // A machine that is too busy to read the font in time shows it on the page after.
  await expect(async () => {
    await page.reload();
    expect(await fontsOf(page, "h1")).toEqual([OWN_FONT]);
  }).toPass();
});

test("without JavaScript the page itself asks for the font, and is shown in it or in its fallback to its end", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const font = page.waitForResponse((response) => FONT.test(response.url()));
  await page.goto("/users/sign_in");
  expect((await font).status()).toBe(200);
  await expect(async () => {
    await page.reload();
    expect(await fontsOf(page, "h1")).toEqual([OWN_FONT]);
  }).toPass();
  await context.close();
});

test("a page that is opened from another one has the styles that only few pages have", async ({
  browser,
}) => {
  const page = await signedIn(browser, "admin", { viewport: desk });
  // Another font changes how wide a text is.
  await page.route(FONT, (route) => route.abort());
  await page.goto("/sessions");
  await page.locator("#root[data-hydrated]").waitFor();
  const sheets = () => page.evaluate(() => document.styleSheets.length);
  const before = await sheets();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Blueprints" }).click();
  await page.locator("#main a[href='/blueprints/1']").first().click();
  await expect(page).toHaveURL(/\/blueprints\/1$/);
  await expect(page.locator("#root .loading")).toHaveCount(0);
  await expect(page.locator("#root .progress")).toHaveCount(0);
  expect(await sheets()).toBe(before + 1);
  const opened = await readLook(page);
  await page.reload();
  await page.locator("#root[data-hydrated]").waitFor();
  await expect(page.locator("#root .loading")).toHaveCount(0);
  expect(differencesOf(opened, await readLook(page))).toEqual([]);
});

test("a page whose styles cannot be fetched is loaded whole, once, and offered again without a server", async ({
  browser,
}) => {
  const page = await signedIn(browser, "admin", { viewport: desk });
  const bringBack = await intercept(page, REST, (route) => route.abort());
  const openBlueprints = async () => {
    await page.goto("/sessions");
    await page.locator("#root[data-hydrated]").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Blueprints" }).click();
  };
  const heading = (name: string) => page.getByRole("heading", { name });
  await openBlueprints();
  await expect(heading("Blueprints")).toBeVisible();
  await openBlueprints();
  await expect(heading("That was us")).toBeVisible();
  await page.route("**/up", (route) => route.abort());
  await openBlueprints();
  await expect(heading("You are offline")).toBeVisible();
  bringBack();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(heading("Blueprints")).toBeVisible();
});

for (const whose of ["players", "hosts"] as const)
  for (const viewport of [{ width: 320, height: 568 }, phone, desk])
    test(
      `the first screen of every page of ${whose} looks the same at ${viewport.width} px when the other styles arrive`,
      // Most people are players with a phone.
      { tag: whose === "players" && viewport === phone ? [] : [PROOF] },
      async ({ browser }) => {
        for (const [name, paths] of Object.entries(pagesOf(`/sessions/${await startShow(browser)}`)[whose]))
          await compareAs(browser, name, { viewport }, paths);
      },
    );

/** Pages by who opens them. @param at the path of a session. */
const pagesOf = (at: string) => ({
  players: {
    nobody: ["/users/sign_in", "/terms"],
    ben: [at, `${at}/history`, "/profile", "/profile/wallet", "/nowhere"],
  },
  hosts: {
    admin: [
      "/sessions",
      "/blueprints/1/edit",
      "/users",
      "/admin/books",
      `${at}/admin`,
      `${at}/chat`,
      `${at}/leaders`,
    ],
  },
});

/**
 * Starts a session with a paid event, which two guests and ben have called, and an open one.
 * @returns its slug.
 */
async function startShow(browser: Browser): Promise<string> {
  const host = await signedIn(browser, "admin");
  const { origin } = new URL(host.url());
  const api = apiOf(host.context(), origin);
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `First paint ${uniqueNumber()}`, settings: { settlement_delay_seconds: 0 } },
  });
  const { id, slug } = session;
  await addEvent(api, id, { start_mode: "offset", offset_seconds: 3_600 });
  const started = await api<{ session: SessionView }>("PUT", `/api/v1/sessions/${slug}/start`);
  // The active flag belongs to the demo's rehearsals.
  if (started.session.active) await api("PUT", `/api/v1/sessions/${slug}/deactivate`);
  const { id: eventId, spots } = await addEvent(api, id, { duration_seconds: 300, ask: true });
  const ben = await signedIn(browser, "ben");
  const callers = [
    apiOf(ben.context(), origin),
    await guestAt(browser, origin),
    await guestAt(browser, origin),
  ];
  for (const [index, call] of callers.entries())
    await call("POST", "/api/v1/calls", { call: { spot_id: spots[index === 0 ? 0 : 1].id, wager: 5 } });
  const resolution = { event: { state_event: "resolve", result: true } };
  await api("PATCH", `/api/v1/events/${eventId}/state`, resolution);
  await expect.poll(async () => (await leadersOf(host, slug)).leaders.length).toBe(callers.length);
  await addEvent(api, id, { duration_seconds: 300, ask: true });
  return slug;
}

async function addEvent(api: Api, sessionId: number, fields: object): Promise<EventView> {
  const event = { session_id: sessionId, title: "Will it rain?", ...fields };
  return (await api<{ event: EventView }>("POST", "/api/v1/events", { event })).event;
}

async function compareAs(browser: Browser, name: string, options: object, paths: string[]): Promise<void> {
  const page =
    name === "nobody"
      ? await (await browser.newContext(options)).newPage()
      : await signedIn(browser, name, options);
  await compare(page, paths);
  await page.context().close();
}

/** Compares the first screen of each page before and after all of its styles are there. Nothing else changes: no script runs. */
async function compare(page: Page, paths: readonly string[]): Promise<void> {
  // Another font changes how wide a text is.
  await page.route(/\.(js|woff2)$/, (route) => route.abort());
  for (const path of paths) {
    const bringBack = await intercept(page, REST, (route) => route.abort());
    await page.goto(path);
    await expect(page.locator("#root .loading")).toHaveCount(0);
    const before = await readLook(page);
    bringBack();
    await loadStyles(page);
    expect(differencesOf(before, await readLook(page)), path).toEqual([]);
  }
}

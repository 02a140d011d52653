import { activeSlug, desk, newPage, phone, signedIn } from "./players.ts";
import { fontsOf } from "./support/fonts.ts";
import { expect, hydrated, intercept, newContext, openLive, test, use } from "./support/journey.ts";
import { differencesOf, readLook } from "./support/look.ts";

const MORE = /\/assets\/admin-[^/]*\.css$/;
const FONT = /\.woff2$/;
/** As the font names itself: "Archivo SemiBold". */
const OWN_FONT = expect.stringMatching(/^Archivo /);

test("the play screen is painted, styled and live while the font does not answer, also in forced colours and high contrast", async () => {
  const page = await signedIn("ben");
  const path = `/sessions/${await activeSlug(page)}`;
  // No answer: the request stays open.
  await page.route(FONT, () => undefined);
  const paints = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
  await page.goto(path, { waitUntil: "commit" });
  await hydrated(page);
  await expect.poll(paints).toBe(1);
  // One screen without scrolling: without its styles the page would be much longer.
  const heightOf = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
  expect(await heightOf(".play")).toBe(phone.height);
  expect(await heightOf(".play > .topbar")).toBe(48);

  const theme = { name: "theme", value: "contrast", url: new URL(page.url()).origin };
  for (const look of [{ forcedColors: "active" }, { contrast: "more" }, "theme"] as const) {
    if (look === "theme") await page.context().addCookies([theme]);
    await page.emulateMedia({ forcedColors: null, contrast: null, ...(look === "theme" ? {} : look) });
    await page.goto("/terms", { waitUntil: "commit" });
    await expect.poll(paints).toBe(1);
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  }
});

test("a browser in which the app has run gets links to its styles, and the page looks the same", async () => {
  // A visitor's page shows no balance, which changes while others play.
  const page = await newPage();
  await page.route(FONT, (route) => route.abort());
  const inline = page.locator("style[data-keep]");
  const open = async () => {
    await openLive(page, "/terms");
  };
  await open();
  await expect(inline).toHaveCount(2);
  const before = await readLook(page);
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain("time_zone=");
  await open();
  await expect(inline).toHaveCount(0);
  expect(differencesOf(before, await readLook(page))).toEqual([]);
});

test("the styles and the font are fetched once a first page is live, which stays in its fallback, and the next page begins in it", async () => {
  const page = await newPage();
  const live = page.locator("#root[data-hydrated]");
  const liveAtRequest: Promise<number>[] = [];
  page.on("request", (request) => FONT.test(request.url()) && liveAtRequest.push(live.count()));
  await page.goto("/terms");
  await live.waitFor();
  await use(page);
  const fetched = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  await expect.poll(fetched).toContainEqual(expect.stringMatching(FONT));
  await expect.poll(fetched).toContainEqual(expect.stringMatching(/\/assets\/players-[^/]*\.css$/));
  expect(await Promise.all(liveAtRequest)).toEqual([1]);
  expect(await fontsOf(page, "h1")).not.toEqual([OWN_FONT]);
  // A machine that is too busy to read the font in time shows it on the page after.
  await expect(async () => {
    await page.reload();
    expect(await fontsOf(page, "h1")).toEqual([OWN_FONT]);
  }).toPass();
});

test("without JavaScript the page itself asks for the font, and is shown in it or in its fallback to its end", async () => {
  const context = await newContext({ javaScriptEnabled: false });
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

test("a page that is opened from another one has the styles that only few pages have", async () => {
  const page = await signedIn("admin", { viewport: desk });
  // Another font changes how wide a text is.
  await page.route(FONT, (route) => route.abort());
  await openLive(page, "/sessions");
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
  await hydrated(page);
  await expect(page.locator("#root .loading")).toHaveCount(0);
  expect(differencesOf(opened, await readLook(page))).toEqual([]);
});

test("a page whose styles cannot be fetched is loaded whole, once, and offered again without a server", async () => {
  const page = await signedIn("admin", { viewport: desk });
  const bringBack = await intercept(page, MORE, (route) => route.abort());
  const openBlueprints = async () => {
    await openLive(page, "/sessions");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Blueprints" }).click();
  };
  const heading = (name: string) => page.getByRole("heading", { name });
  await openBlueprints();
  await expect(heading("Blueprints")).toBeVisible();
  await openBlueprints();
  await expect(heading("Something went wrong")).toBeVisible();
  await page.route("**/up", (route) => route.abort());
  await openBlueprints();
  await expect(heading("You are offline")).toBeVisible();
  bringBack();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(heading("Blueprints")).toBeVisible();
});

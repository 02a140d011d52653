import AxeBuilder from "@axe-core/playwright";
import { type Browser, expect, type Page } from "playwright/test";
import { activeSlug, desk, phone, signedIn } from "./players.ts";
import { complaintsOf } from "./support/complaints.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { test } from "./support/journey.ts";

const forPlayers = [
  "/sessions/:slug",
  "/sessions/:slug/history",
  "/profile",
  "/profile/account",
  "/profile/avatar",
  "/profile/details",
  "/profile/wallet",
  "/profile/wallet/payments",
  "/nowhere",
];
const forAdmins = [
  "/sessions",
  "/sessions/new",
  "/sessions/:slug/admin",
  "/sessions/:slug/edit",
  "/sessions/:slug/leaders",
  "/sessions/:slug/chat",
  "/leaderboard",
  "/blueprints",
  "/blueprints/new",
  "/blueprints/1",
  "/blueprints/1/edit",
  "/blueprints/1/edit?panel=1",
  "/blueprints/1/edit?panel=paste",
  "/users",
  "/users/3",
  "/admin",
  "/admin/books",
];
/** Nobody holds a projector in a hand. */
const forProjectors = ["/sessions/:slug/stage", "/sessions/:slug/stage?overlay=1"];
/** The narrowest screen on which nothing may be cut off. */
const SMALL_PHONE = { width: 320, height: 568 };
/** Both layouts and both themes, combined once each. */
const variants = [
  { screen: "phone", theme: "light", viewport: phone },
  { screen: "desk", theme: "dark", viewport: desk },
] as const;

for (const { screen, theme, viewport } of variants) {
  const options = { viewport, colorScheme: theme };
  test(`no page complains or keeps anybody out, on a ${screen} in ${theme}`, async ({ browser }) => {
    const visitor = await (await browser.newContext(options)).newPage();
    await visit(visitor, [
      "/users/sign_in",
      "/users/password",
      "/users/unlock",
      "/users/guest_registration",
      "/terms",
    ]);
    await visitAsGuest(visitor, ["/guest", "/users/guest_registration", "/users/sign_in"]);
    await visitAs(browser, "ana", options, forPlayers);
  });
  test(`nor any page of an admin, on a ${screen} in ${theme}`, async ({ browser }) => {
    await visitAs(browser, "admin", options, forAdmins);
    if (screen === "desk") await visitAs(browser, "admin", options, forProjectors);
  });
}

async function visitAs(browser: Browser, name: string, options: object, paths: string[]): Promise<void> {
  const page = await signedIn(browser, name, options);
  const slug = await activeSlug(page);
  await visit(
    page,
    paths.map((path) => path.replace(":slug", slug)),
  );
  await page.context().close();
}

/** Plays as a guest from here on; the live screen comes first. */
async function visitAsGuest(page: Page, paths: string[]): Promise<void> {
  await page.goto("/users/sign_in");
  await page.getByRole("button", { name: "Play as guest" }).click();
  await expect(page).toHaveURL(/\/sessions\//);
  await visit(page, [new URL(page.url()).pathname, ...paths]);
}

async function visit(page: Page, paths: string[]): Promise<void> {
  const complaints = complaintsOf(page);
  for (const path of paths) {
    await page.goto(path);
    await page.locator("#root[data-hydrated]").waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    complaints.push(
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${path} ${id}: ${node.html}`)),
      ...(await inspectAll(page)).map((complaint) => `${path} ${complaint}`),
    );
  }
  expect(complaints).toEqual([]);
}

/** What is cut off, covered or too small on the page's screen, and for a phone on a small one. */
async function inspectAll(page: Page): Promise<string[]> {
  const complaints = await inspectPage(page);
  const screen = page.viewportSize();
  if (screen === null || screen.width > phone.width) return complaints;
  await page.setViewportSize(SMALL_PHONE);
  complaints.push(...(await inspectPage(page)).map((complaint) => `on a small phone: ${complaint}`));
  await page.setViewportSize(screen);
  return complaints;
}

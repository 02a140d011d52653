import { type Browser, expect, type Page } from "playwright/test";
import type { CallAnswer } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiAs, phone } from "./players.ts";
import { type Api, apiOf, guestAt } from "./show-host.ts";
import { test } from "./support/journey.ts";
import { layoutShiftOf, recordLayoutShifts } from "./support/layout-shifts.ts";
import { ask, register, runSession } from "./support/own-show.ts";
import { hydrated } from "./support/page.ts";
import { callSide, decide } from "./support/two-device-show.ts";

const PICTURE_WIDTH = 1_200;

type Show = { host: Api; session: SessionView; event: EventView; page: Page; path: string };

/** A show with one open question, and a new player who looks at it on a phone. */
async function openShow(browser: Browser, origin: string): Promise<Show> {
  const host = await apiAs(browser, origin, "admin");
  const session = await runSession(host, "Shared");
  const event = await ask(host, session.id, "Will it rain?");
  const context = await browser.newContext({ viewport: phone });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await recordLayoutShifts(context);
  await register(apiOf(context, origin), "sharer");
  const page = await context.newPage();
  const path = `/sessions/${session.slug}`;
  await page.goto(path);
  await hydrated(page);
  return { host, session, event, page, path };
}

/** The player calls True, another one False, and True it is. @returns the player's call. */
async function win({ host, event, page }: Show, opponent: Api): Promise<CallAnswer["call"]> {
  const placed = page.waitForResponse("**/api/v1/calls");
  await page.getByRole("radio", { name: /True\./ }).click();
  const { call }: CallAnswer = await (await placed).json();
  await callSide(opponent, event, "false");
  await decide({ host }, event, true);
  await expect(page.getByText("You called it")).toBeVisible();
  return call;
}

/** Where the rows of the live screen are. */
async function rowsOf(page: Page) {
  const rows: Record<string, unknown> = {};
  for (const row of [".card", ".wager", ".sides", ".ticker"])
    rows[row] = await page.locator(row).first().boundingBox();
  return rows;
}

/** Shares the session on a device that has no sharing of its own. @returns the copied link. */
async function copyLink(page: Page): Promise<string> {
  // That it was copied is said for five seconds: a busy machine may have missed it.
  await expect(async () => {
    await page.getByRole("button", { name: "Share my session" }).click();
    await expect(page.getByText("Link copied")).toBeVisible({ timeout: 10_000 });
  }).toPass();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Opens a link as a stranger would. The configured address may have another host than the test's. */
async function openAsStranger(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  await page.goto(new URL(url).pathname);
  return page;
}

test("a session's end stays worth looking at, and a shared link shows it to a stranger until it is revoked", async ({
  browser,
}) => {
  const origin = test.info().project.use.baseURL ?? "";
  const show = await openShow(browser, origin);
  const { host, page, path, session } = show;
  await win(show, await guestAt(browser, origin));
  const rows = await rowsOf(page);
  await host("PUT", `${path.replace("/sessions", "/api/v1/sessions")}/stop`);

  const card = page.getByRole("article", { name: "That was it." });
  await expect(card).toContainText("1 won, 0 lost");
  const ended = page.getByRole("region", { name: "How it ended" });
  await expect(ended).toContainText("1st of 2");
  await expect(ended).toContainText("+$5.00");
  await expect(ended).toContainText("Best call +$5.00 · Will it rain?");
  await expect(ended.getByRole("img", { name: /Your net over 1 question/ })).toBeVisible();
  await expect(card).toContainText(/No next session is planned yet\.|Next \d|is live/);
  await expect(page.getByRole("radio")).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Wager" })).toHaveCount(0);
  await expect.poll(() => rowsOf(page)).toEqual(rows);

  await page.reload();
  await expect(ended).toContainText("Best call +$5.00");
  await hydrated(page);
  await expect.poll(() => rowsOf(page)).toEqual(rows);
  expect(await layoutShiftOf(page)).toBeLessThan(0.005);
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
  await plain.addCookies(await page.context().cookies());
  const unscripted = await plain.newPage();
  await unscripted.goto(path);
  await expect(unscripted.getByRole("region", { name: "How it ended" })).toContainText("Best call +$5.00");
  await expect(unscripted.getByRole("link", { name: "Full leaders" })).toBeVisible();

  const url = await copyLink(page);
  const stranger = await openAsStranger(browser, url);
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText(` in ${session.name}`);
  const picture = stranger.getByRole("img", { name: /1 won, 0 lost, net \+\$5\.00/ });
  await expect
    .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBe(PICTURE_WIDTH);
  await expect(stranger.locator('meta[property="og:image"]')).toHaveAttribute("content", /picture\.png$/);

  await unscripted.getByRole("button", { name: "Share my session" }).click();
  await expect(unscripted.getByRole("textbox", { name: `Link to ${session.name}` }).first()).toHaveValue(url);
  await page.goto("/shares");
  await hydrated(page);
  await page.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("heading", { name: "Nothing shared yet" })).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "Nothing was called here" })).toBeVisible();
});

test("a call is shared from its receipt: its stamp while it is open, its result when it has one", async ({
  browser,
}) => {
  const origin = test.info().project.use.baseURL ?? "";
  const show = await openShow(browser, origin);
  const { page, path } = show;
  const call = await win(show, await guestAt(browser, origin));
  await page.goto(`${path}/history/${call.id}`);
  await hydrated(page);
  // As a phone does that offers to share.
  await page.evaluate(() => {
    const share = async ({ url, files }: ShareData) => {
      Object.assign(document.body.dataset, { url, files: files?.map(({ name }) => name).join() });
    };
    Object.assign(navigator, { canShare: () => true, share });
  });
  const body = page.locator("body");
  // On a busy machine the first picture can come too late for a tap. It is drawn then for the next one.
  await expect(async () => {
    await page.getByRole("button", { name: "Share this result" }).click();
    await expect(body).toHaveAttribute("data-files", "called-it.png", { timeout: 5_000 });
  }).toPass();
  const stranger = await openAsStranger(browser, (await body.getAttribute("data-url")) ?? "");
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText("called it: +$5.00");
  await expect(stranger.getByText("Will it rain?").first()).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Watch it live" })).toBeVisible();
});

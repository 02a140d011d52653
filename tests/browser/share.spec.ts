import type { CallAnswer } from "#src/play/calls/schemas.ts";
import { newPage, newPlayer, withoutScript } from "./players.ts";
import { newGuest } from "./show-host.ts";
import { type Page, expect, hydrated, openLive, test } from "./support/journey.ts";
import { layoutShiftOf, recordLayoutShifts, rowsOf } from "./support/layout-shifts.ts";
import { callSide, decide, type OpenShow, startShow } from "./support/two-device-show.ts";

const PICTURE_WIDTH = 1_200;

type Show = OpenShow & { page: Page };

/** A show with one open question, and a new player who looks at it on a phone. */
async function openShow(): Promise<Show> {
  const show = await startShow("Shared", "Will it rain?");
  const { page } = await newPlayer("sharer", { permissions: ["clipboard-read", "clipboard-write"] });
  await recordLayoutShifts(page.context());
  await openLive(page, show.path);
  return { ...show, page };
}

/** The player calls True, another one False, and True it is. @returns the player's call. */
async function win({ host, open, page }: Show): Promise<CallAnswer["call"]> {
  const placed = page.waitForResponse("**/api/v1/calls");
  await page.getByRole("radio", { name: /True\./ }).click();
  const { call }: CallAnswer = await (await placed).json();
  await callSide(await newGuest(), open, "false");
  await decide({ host }, open, true);
  await expect(page.getByText("You called it")).toBeVisible();
  return call;
}

/** The rows that the end has, too, in their places. */
const frameOf = async (page: Page) =>
  (await rowsOf(page)).filter((row) => /^\.(card|wager|sides|ticker) \d/.test(row));

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
async function openAsStranger(url: string): Promise<Page> {
  const page = await newPage();
  await page.goto(new URL(url).pathname);
  return page;
}

test("a session's end stays worth looking at, and a shared link shows it to a stranger until it is revoked", async () => {
  const show = await openShow();
  const { host, page, path, session } = show;
  await win(show);
  const rows = await frameOf(page);
  await host("PUT", `/api/v1${path}/stop`);

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
  await expect.poll(() => frameOf(page)).toEqual(rows);

  await page.reload();
  await expect(ended).toContainText("Best call +$5.00");
  await hydrated(page);
  await expect.poll(() => frameOf(page)).toEqual(rows);
  expect(await layoutShiftOf(page)).toBeLessThan(0.005);
  const unscripted = await withoutScript(page);
  await unscripted.goto(path);
  await expect(unscripted.getByRole("region", { name: "How it ended" })).toContainText("Best call +$5.00");
  await expect(unscripted.getByRole("link", { name: "Full leaders" })).toBeVisible();

  const url = await copyLink(page);
  const stranger = await openAsStranger(url);
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText(` in ${session.name}`);
  const picture = stranger.getByRole("img", { name: /1 won, 0 lost, net \+\$5\.00/ });
  await expect
    .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBe(PICTURE_WIDTH);
  await expect(stranger.locator('meta[property="og:image"]')).toHaveAttribute("content", /picture\.png$/);

  await unscripted.getByRole("button", { name: "Share my session" }).click();
  await expect(unscripted.getByRole("textbox", { name: `Link to ${session.name}` }).first()).toHaveValue(url);
  await openLive(page, "/shares");
  await page.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("heading", { name: "Nothing shared yet" })).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "Nothing was called here" })).toBeVisible();
});

test("a call is shared from its receipt: its stamp while it is open, its result when it has one", async () => {
  const show = await openShow();
  const { page, path } = show;
  const call = await win(show);
  await openLive(page, `${path}/history/${call.id}`);
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
  const stranger = await openAsStranger((await body.getAttribute("data-url")) ?? "");
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText("called it: +$5.00");
  await expect(stranger.getByText("Will it rain?").first()).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Watch it live" })).toBeVisible();
});

import { newGuestPage } from "../players.ts";
import { apiOf, newGuest } from "../show-host.ts";
import { complaintsOf } from "../support/complaints.ts";
import { Front } from "../support/front.ts";
import { PROOF, type Page, expect, hydrated, openLive, productUrl, test } from "../support/journey.ts";
import { callsOf, expectCalls, ready, side } from "../support/one-phone-show.ts";
import { untilActive } from "../support/service-worker.ts";
import { type BackToBackShow, callSide, decide, goOn, startShow } from "../support/two-device-show.ts";

type Game = { show: BackToBackShow; page: Page; front: Front; path: string };

/** A guest plays in a running show, whose page is served by a worker. */
async function playWithWorker(front: Front): Promise<Game> {
  const { host, open, path } = await startShow();
  const page = await newGuestPage({ serviceWorkers: "allow" });
  await page.goto(front.url + path);
  await untilActive(page);
  await page.reload();
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const show: BackToBackShow = {
    host,
    player: apiOf(page),
    opponent: await newGuest(),
    devices: [page],
    open,
  };
  return { show, page, front, path };
}

/** Calls, is answered, and sees the result while the next question is open already. */
async function playOn({ show, page }: Game, calls: number): Promise<void> {
  await ready(page);
  await side(page, "True").click();
  await expectCalls({ show, page }, { placed: calls });
  await callSide(show.opponent, show.open, "false", 1);
  const closed = await goOn(show);
  await decide(show, closed, true);
  await expect(page.locator(".card .announced")).toContainText("You called it");
}

const stateOf = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const caches = (await globalThis.caches.keys()).filter((name) => name.startsWith("shell-"));
    return { waits: registration?.waiting != null, caches: caches.length };
  });
const update = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
const markPage = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
const isSamePage = (page: Page) => page.evaluate(() => "isSamePage" in globalThis);

test(
  "a service worker that is updated in a running show takes nothing from it, and works from the next page on",
  { tag: PROOF },
  async () => {
    const front = new Front(productUrl());
    const game = await playWithWorker(front);
    const { page, path } = game;
    const complaints = complaintsOf(page);
    await markPage(page);
    front.publish("next");
    await update(page);
    await expect.poll(() => stateOf(page)).toEqual({ waits: true, caches: 2 });
    await playOn(game, 1);
    expect(await isSamePage(page)).toBe(true);
    // A guest has no history, and is sent to another page.
    await page.goto(`${front.url}${path}/history`);
    await expect(page).toHaveURL(/\/guest$/);
    await expect.poll(() => stateOf(page)).toMatchObject({ waits: false });
    await openLive(page, front.url + path);
    await expect.poll(() => stateOf(page)).toEqual({ waits: false, caches: 1 });
    await ready(page);
    await side(page, "False").click();
    await expectCalls(game, { placed: 1 });
    expect(complaints).toEqual([]);
    await front.stop();
  },
);

test(
  "an old worker with a new server goes on with the show, also where the server has its files no more",
  { tag: PROOF },
  async () => {
    const front = new Front(productUrl());
    front.publish("old");
    const game = await playWithWorker(front);
    const { page } = game;
    await markPage(page);
    const old = await page.locator('script[type="module"]').getAttribute("src");
    // The server is new: it has another worker, and not the old script.
    front.publish(null);
    front.remove(old ?? "");
    await playOn(game, 1);
    await page.getByRole("button", { name: /^My rank/ }).click();
    await expect(page.getByRole("dialog", { name: "Leaders" })).toBeVisible();
    await page.keyboard.press("Escape");
    expect(await isSamePage(page)).toBe(true);
    // Loaded again, the page still has its script from the old worker.
    await page.reload();
    await hydrated(page);
    await ready(page);
    await side(page, "False").click();
    await expectCalls(game, { placed: 1 });
    expect((await callsOf(game)).takenBack).toEqual([]);
    await front.stop();
  },
);

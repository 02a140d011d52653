import type { EventView } from "#src/show/events/schemas.ts";
import { desk, phone } from "./players.ts";
import { type Device, PROOF, type Page, expect, hydrated, test, use } from "./support/journey.ts";
import { CELEBRATED_WITHIN_S, motionOf } from "./support/motions.ts";
import { play } from "./support/one-phone-show.ts";
import { closeResultBar, holdResultBars, resultBar } from "./support/result-bar.ts";
import {
  type BackToBackShow,
  callSide,
  decide,
  goOn,
  lock,
  resultBarLoaded,
  startBackToBack,
} from "./support/two-device-show.ts";

/** Where nothing moves and nothing is covered. */
const FIXED = [".card-q", ".card .clock", ".sides", ".card .pool", ".ticker"];

const ticker = (device: Page) => device.locator(".ticker");

function boxesOf(device: Page): Promise<unknown[]> {
  return Promise.all(FIXED.map((part) => device.locator(part).first().boundingBox()));
}

/** The box of the row that the result bar shares with the slip, once the result bar has come in. */
async function rowOf(device: Page): Promise<unknown> {
  const box = await device.locator(".card .mine").last().boundingBox();
  return box === null ? null : Object.values(box).map(Math.round);
}

/** Waits until the words are really on the screen: inside of it, and under nothing else. */
async function expectOnScreen(device: Page, selector: string, words: RegExp): Promise<void> {
  const look = () =>
    device.evaluate((name) => {
      const element = document.querySelector(name);
      if (element === null) return null;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return { text: element.textContent, isInside, isOnTop: onTop !== null && element.contains(onTop) };
    }, selector);
  const shown = { text: expect.stringMatching(words), isInside: true, isOnTop: true };
  await expect.poll(look).toEqual(shown);
}

/**
 * While something happens, the second device is locked. The first one tells the outcome at once, the second one as soon as it is
 * unlocked; nothing moves for it, and no toast tells it again.
 */
async function expectTold(
  show: BackToBackShow,
  what: { happens: () => Promise<void>; words: RegExp; place?: "bar" | "ticker" },
): Promise<void> {
  const { words, place = "bar" } = what;
  const [first, second] = show.devices;
  if (second === undefined) throw new Error("The player has two devices.");
  const selector = place === "bar" ? ".card .announced" : ".ticker";
  const before = [await boxesOf(first), await boxesOf(second)];
  const rows = [await rowOf(first), await rowOf(second)];
  await lock(second, true);
  await what.happens();
  await expectOnScreen(first, selector, words);
  expect(await boxesOf(first)).toEqual(before[0]);
  await expect.poll(() => rowOf(first)).toEqual(rows[0]);
  await expect(second.locator(selector).filter({ hasText: words })).toHaveCount(0);
  await lock(second, false);
  await expectOnScreen(second, selector, words);
  expect(await boxesOf(second)).toEqual(before[1]);
  await expect.poll(() => rowOf(second)).toEqual(rows[1]);
  for (const device of show.devices) {
    await expect(device.locator(".toast")).toHaveCount(0);
    await expect(device.getByRole("heading", { name: show.open.title })).toBeVisible();
    if (place === "ticker") continue;
    await closeResultBar(device);
    await expect(device.locator(".card .mine")).toBeVisible();
    await expect(ticker(device)).toHaveText(words);
  }
}

/** Both call the open action, on different sides, and the next one opens. */
async function playContest(show: BackToBackShow): Promise<EventView> {
  await callSide(show.player, show.open, "true");
  await callSide(show.opponent, show.open, "false");
  return goOn(show);
}

async function tellAllOutcomes(show: BackToBackShow): Promise<void> {
  for (const device of show.devices) await holdResultBars(device);
  const won = await playContest(show);
  await expectTold(show, {
    happens: () => decide(show, won, true),
    words: /You called it(?:: \+\$5\.00)? · Question 1\?/,
  });
  const voided = await playContest(show);
  await expectTold(show, {
    happens: () => decide(show, voided, "void", "Rained off."),
    words: /Called off, \$5\.00 is back: Rained off\. · Question 2\?/,
  });
  await expectTold(show, {
    happens: () => decide(show, won, false, "The replay showed it."),
    words: /Corrected to False: \$10\.00 taken back, net -\$5\.00 · Question 1\?/,
  });
  const skipped = await playContest(show);
  await expectTold(show, {
    happens: async () => {
      await show.host("PUT", `/api/v1/events/${skipped.id}/skip`, { event: { reason: "Nobody can tell." } });
    },
    words: /\$5\.00 back: the host skipped it · Question 3\? Nobody can tell\./,
  });
  await callSide(show.opponent, show.open, "true");
  await callSide(show.opponent, show.open, "false");
  const uncalled = await goOn(show);
  await expectTold(show, {
    happens: () => decide(show, uncalled, true),
    words: /True: 1 of 2 called it · Question 4\?/,
    place: "ticker",
  });
  await expectEnd(show);
}

/** The session ends, and both devices show the podium with the player's own place. */
async function expectEnd(show: BackToBackShow): Promise<void> {
  await show.host("PUT", `/api/v1/events/${show.open.id}/skip`, { event: {} });
  await show.host("PUT", `/api/v1/sessions/${show.open.sessionId}/stop`);
  for (const device of show.devices) {
    const places = device.getByRole("list", { name: "The first three" }).getByRole("listitem");
    await expect(places).toHaveCount(2);
    await expect(places.filter({ hasText: /unseen_\d+.*0 won, 1 lost/ })).toBeVisible();
  }
}

/** A win is drawn and celebrated for a moment, and not where the player prefers less motion. */
async function expectCelebrated(device: Page): Promise<void> {
  const row = resultBar(device);
  const motions = () => Promise.all([motionOf(row), motionOf(row.locator("svg")), motionOf(row, "::after")]);
  const celebrated = await motions();
  expect(celebrated).toMatchObject([{ name: "result-bar-drawn" }, { name: "cheer" }, { name: "ring" }]);
  expect(celebrated.every(({ seconds, count }) => seconds <= CELEBRATED_WITHIN_S && count === "1")).toBe(
    true,
  );
  await device.emulateMedia({ reducedMotion: "reduce" });
  expect(await motions()).toMatchObject([{ seconds: 0.001 }, { name: "none" }, { name: "none" }]);
  await device.emulateMedia({ reducedMotion: null });
}

const forced: Device = { viewport: { width: 360, height: 640 }, forcedColors: "active" };
const pairs: { name: string; devices: [Device, Device]; tag: string[] }[] = [
  { name: "a small phone in forced colours and a desktop", devices: [forced, { viewport: desk }], tag: [] },
  {
    name: "a phone and the smallest one",
    devices: [{ viewport: phone }, { viewport: { width: 320, height: 568 } }],
    tag: [PROOF],
  },
];

for (const { name, devices, tag } of pairs)
  test(
    `each outcome is seen on ${name} while the next action is open, also on the one that was locked`,
    { tag },
    async () => {
      test.slow();
      await tellAllOutcomes(await startBackToBack(devices));
    },
  );

test("the result bar leaves by itself, and what was decided while the player was away is announced once after a reload", async () => {
  const { show, page: device } = await play();
  const letGo = await holdResultBars(device);
  const won = await playContest(show);
  await callSide(show.player, show.open, "true");
  await decide(show, won, true);
  await expect(resultBar(device)).toHaveText(/\+\$5\.00You called it/);
  await expect(device.getByRole("button", { name: "Cancel" })).toBeHidden();
  await expectCelebrated(device);
  await letGo();
  // Also in a busy game, where news of the pool come all the time.
  while ((await resultBar(device).count()) > 0) await callSide(show.opponent, show.open, "true", 0.05);
  // The call on the open action is there again, with its button.
  await expect(device.locator(".card .mine")).toContainText("True $5.00");
  await expect(device.getByRole("button", { name: "Cancel" })).toBeVisible();

  const url = device.url();
  await device.goto("about:blank");
  await callSide(show.opponent, show.open, "false");
  const lost = show.open;
  await show.host("PATCH", `/api/v1/events/${lost.id}/state`, { event: { state_event: "close_event" } });
  await decide(show, lost, false);
  await show.host("POST", "/api/v1/events", {
    event: { session_id: lost.sessionId, title: "Question 3?", duration_seconds: 600, ask: true },
  });
  await device.goto(url);
  await expect(device.getByRole("heading", { name: "Question 3?" })).toBeVisible();
  await hydrated(device);
  await use(device);
  await expect(resultBar(device)).toHaveText(/It went the other way: -\$5\.00 · Question 2\?/);
  await resultBar(device).getByRole("link").click();
  await expect(device).toHaveURL(/\/history\/\d+$/);
  await device.goBack();
  await expect(device.getByRole("heading", { name: "Question 3?" })).toBeVisible();
  await device.reload();
  await hydrated(device);
  await use(device);
  await resultBarLoaded(device);
  await expect(ticker(device)).toBeVisible();
  await expect(resultBar(device)).toHaveCount(0);
});

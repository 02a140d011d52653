import { expect, type Page } from "playwright/test";
import { auditOf } from "../show-host.ts";
import { intercept } from "../support/intercept.ts";
import { PROOF, test } from "../support/journey.ts";
import { keysAct, press } from "../support/room-keys.ts";
import {
  armedOf,
  callOn,
  EVENTS,
  eventOf,
  expectBooks,
  expectOnAir,
  stageTwoHosts,
  trayOf,
  type TwoHostShow,
  until,
} from "../support/two-host-show.ts";

const SECOND_MS = 1_000;
/** So long that the answer is not as late as the payment, however slow the machine is. */
const DELAY_S = 60;
const DELAY_MS = DELAY_S * SECOND_MS;
/** How late an answer is here. */
const LATE_MS = 2_000;
const STATE = "**/api/v1/events/*/state";
const PAUSED_S = 60;
/** A page shows the next second, and the answer is of this one. */
const OFF_BY_MS = 2_500;
const PROVEN_WITHIN_MS = 900_000;

test("a result has its whole delay from its answer on, and U counts from the Enter on", async ({
  browser,
}) => {
  const show = await stageTwoHosts(browser, { players: 2, armedStays: true });
  const { ana, api, session } = show;
  await api("PATCH", `/api/v1/sessions/${session.slug}`, {
    session: { settings: { settlement_delay_seconds: DELAY_S } },
  });
  await letOneWait(show);
  const letThrough = await holdRequest(ana);
  await decide(ana, "t");
  // Neither the answer nor a message about the event can be there yet.
  await expect(ana.locator('.armed [data-key="U"]:not([aria-disabled="true"])')).toBeVisible();
  await ana.keyboard.press("u");
  await expect(armedOf(ana).getByRole("button", { name: /^It is taken back/ })).toBeVisible();
  letThrough();
  await expectTakenBack(show, 1);

  const answer = await answerLate(ana);
  await decide(ana, "t");
  const answeredMs = await answer();
  const dueMs = async () => Date.parse((await eventOf(show, 1)).paysAt ?? "");
  await expect.poll(async () => (await dueMs()) - answeredMs).toBeGreaterThanOrEqual(DELAY_MS);
  await expect(bar(ana)).toBeVisible();
  await press(ana, "u");
  await expectTakenBack(show, 2);
  const acts = (await auditOf(api, session)).map(({ action }) => action);
  expect(acts.filter((action) => action === "note_result")).toHaveLength(2);
  expect(acts.filter((action) => action === "withdraw")).toHaveLength(2);
  expect(acts).not.toContain("resolve");
});

test(
  "a show is run by keys alone with a wrong side armed, U at the last moment, a host without a network, and a pause of a minute",
  { tag: PROOF },
  async ({ browser }) => {
    test.setTimeout(PROVEN_WITHIN_MS);
    const show = await stageTwoHosts(browser, { players: 4, armedStays: true });
    const { ana } = show;
    await letOneWait(show);
    for (const [index, afterMs] of [0, SECOND_MS, 4_900].entries()) {
      await test.step(`U after ${afterMs} ms`, async () => {
        await pressUAfter(ana, afterMs);
        await decide(ana, "t");
        await expectTakenBack(show, index + 1);
      });
    }
    await test.step("the wrong side is armed, and the right one replaces it", async () => {
      await press(ana, "1", "f");
      await expect(armedOf(ana)).toContainText("Resolve 1 as No?");
      await press(ana, "t");
      await expect(armedOf(ana)).toContainText("Resolve 1 as Yes?");
      await press(ana, "Enter");
      await until(show, 1, ({ result }) => result === true);
    });
    await test.step("a host without a network does nothing, and reads the truth afterwards", () =>
      loseNetwork(show));
    await test.step("a pause of a minute", () => pauseForAMinute(show));
    // The second action waits in the tray, and the third one is on the stage.
    for (const [number, keys] of [
      [2, ["2", "v"]],
      [3, ["v"]],
    ] as const) {
      await until(show, number, ({ state }) => state === "closed" || state === "open");
      await press(ana, ...keys, "Enter");
      await until(show, number, ({ voided }) => voided);
    }
    await expectBooks(show);
  },
);

/** The first action waits in the tray, with a call of each player; the second one is open. */
async function letOneWait(show: TwoHostShow): Promise<void> {
  await callOn(show, 1);
  await press(show.ana, "Space");
  await expectOnAir(show, 2);
  await callOn(show, 2);
}

async function decide(host: Page, key: "t" | "f"): Promise<void> {
  await press(host, "1", key);
  await expect(armedOf(host)).toContainText(`Resolve 1 as ${key === "t" ? "Yes" : "No"}?`);
  await press(host, "Enter");
}

const bar = (host: Page) => host.getByRole("region", { name: "Undo" });

/** The result was taken back, so many times by now, nobody is paid, and both hosts know that. */
async function expectTakenBack(show: TwoHostShow, times: number): Promise<void> {
  const { api, session } = show;
  // It was undecided before, too.
  await expect
    .poll(async () => (await auditOf(api, session)).filter(({ action }) => action === "withdraw").length)
    .toBe(times);
  await until(show, 1, ({ state, version, pendingResult, plan }) => {
    return state === "closed" && version > 0 && pendingResult === null && plan?.decided === null;
  });
  for (const host of [show.ana, show.ben]) {
    await expect(trayOf(host)).toHaveAccessibleName("Waits for your result (1)");
    await expect(bar(host)).toBeHidden();
  }
}

/** Holds the next request about a result back. @returns lets it through. */
async function holdRequest(host: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  const letOthersPass = await intercept(host, STATE, async (route) => {
    letOthersPass();
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Lets the next answer about a result arrive late. @returns waits for it, and says when it came. */
async function answerLate(host: Page): Promise<() => Promise<number>> {
  const answered = Promise.withResolvers<number>();
  const letOthersPass = await intercept(host, STATE, async (route) => {
    letOthersPass();
    const response = await route.fetch();
    await host.waitForTimeout(LATE_MS);
    answered.resolve(Date.now());
    await route.fulfill({ response });
  });
  return () => answered.promise;
}

/** Presses U in the page, so long after the host can see what it takes back. */
async function pressUAfter(host: Page, afterMs: number): Promise<void> {
  await host.evaluate((ms) => {
    const isThere = () =>
      document.querySelector('.undo [data-key="U"], .armed [data-key="U"]:not([aria-disabled="true"])') !==
      null;
    const watcher = new MutationObserver(() => {
      if (!isThere()) return;
      watcher.disconnect();
      setTimeout(() => {
        const pressed = new KeyboardEvent("keydown", { key: "u", bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(pressed);
      }, ms);
    });
    watcher.observe(document, { subtree: true, childList: true, attributes: true });
  }, afterMs);
}

async function loseNetwork(show: TwoHostShow): Promise<void> {
  const { ana, ben, api, session, nameOfBen } = show;
  await ben.context().setOffline(true);
  await expect(ben.locator(".topbar .sync.off")).toBeVisible();
  await press(ana, "Space");
  await until(show, 3, ({ state }) => state === "open");
  await callOn(show, 3);
  for (const key of [" ", "c", "p"]) await ben.keyboard.press(key);
  await ben.context().setOffline(false);
  await expect(ben.locator("#on-stage")).toHaveText("Question 3?");
  await keysAct(ben);
  const byBen = (await auditOf(api, session)).filter(({ actor }) => actor?.username === nameOfBen);
  expect(byBen.map(({ action }) => action)).toEqual([]);
  await expectOnAir(show, 3);
}

/** With each second the end that is shown is later, and all other figures are those of the database. */
async function pauseForAMinute(show: TwoHostShow): Promise<void> {
  const { ana, api, session } = show;
  await press(ana, "p");
  await expect(ana.getByText("Paused", { exact: true })).toBeVisible();
  const { session: paused } = await api<{ session: { pausedAt: string } }>(
    "GET",
    `/api/v1/sessions/${session.slug}`,
  );
  for (let second = 0; second < PAUSED_S; second += 1) {
    await ana.waitForTimeout(SECOND_MS);
    const last = await eventOf(show, EVENTS);
    // A page on a busy machine shows the time of a while ago, and goes on.
    await expect
      .poll(() => endIsOffBy(ana, Date.parse(last.closesAt ?? "") - Date.parse(paused.pausedAt)), {
        message: `at second ${second}`,
      })
      .toBeLessThan(OFF_BY_MS);
    const open = await eventOf(show, 3);
    await expect(ana.locator(".on-air .pool-part")).toContainText(`${open.callsCount} calls`);
    expect(open).toMatchObject({ state: "open", callsCount: 4 });
  }
  await press(ana, "p");
  await expect(ana.getByText("Running", { exact: true })).toBeVisible();
}

/** By how much the end that the room shows differs from the true one, in ms. @param leftMs from now on, if the show went on now. */
async function endIsOffBy(host: Page, leftMs: number): Promise<number> {
  const shown = await host.locator(".standing").innerText();
  const clock = /ends (\d\d:\d\d:\d\d)/.exec(shown)?.[1] ?? "";
  const endsMs = Date.now() + leftMs;
  const shownMs = Date.parse(`${new Date(endsMs).toISOString().slice(0, 10)}T${clock}Z`);
  return Math.abs(shownMs - endsMs);
}

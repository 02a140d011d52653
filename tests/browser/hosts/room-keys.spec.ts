import { expect, type Page, type Request } from "playwright/test";
import { hold, hydrated, pressOther, stopClock, test } from "../support/journey.ts";
import { ask, change } from "../support/own-show.ts";
import { keysAct, keysActWhileStopped, press, untilTaken } from "../support/room-keys.ts";
import {
  armedOf,
  EVENTS,
  eventOf,
  expectOnAir,
  stageTwoHosts,
  titleOf,
  trayOf,
  until,
} from "../support/two-host-show.ts";

test("a key or a button of the room that is held down acts once", async () => {
  const show = await stageTwoHosts({ players: 0, armedStays: true });
  const { ana, api, session } = show;
  // Nothing is paid while this test runs.
  const settings = { settlement_delay_seconds: 600 };
  await api("PATCH", `/api/v1/sessions/${session.slug}`, { session: { settings } });
  const stop = ana.getByRole("button", { name: "Stop", exact: true });
  await stop.focus();
  await hold(ana, "Enter");
  await expect(ana.getByRole("alertdialog")).toBeVisible();
  await expect(ana.getByText("Running", { exact: true })).toBeVisible();
  await ana.keyboard.press("Escape");
  await expect(stop).toBeFocused();

  const { closesAt } = await eventOf(show, 1);
  await ana.getByRole("button", { name: "+10 seconds" }).focus();
  await untilTaken(ana, () => hold(ana, "Enter"));
  const later = await until(show, 1, (event) => event.closesAt !== closesAt);
  expect(Date.parse(later.closesAt ?? "") - Date.parse(closesAt ?? "")).toBe(10_000);

  await ana.keyboard.press("Escape");
  await expectActs(ana, "PUT /advance", async () => {
    await untilTaken(ana, () => hold(ana, "Space"));
    await expectOnAir(show, 2);
    await keysAct(ana);
  });

  await expectActs(ana, "PATCH /state", async () => {
    await press(ana, "1", "t");
    await expect(armedOf(ana)).toContainText("Resolve 1 as Yes?");
    await untilTaken(ana, () => hold(ana, "Enter"));
    await until(show, 1, ({ pendingResult }) => pendingResult === true);
    await expect(ana.locator("#on-stage")).toBeFocused();
  });
  await expect(ana.getByRole("region", { name: "Undo" })).toBeVisible();
  await expectActs(ana, "PATCH /state", async () => {
    await hold(ana, "u");
    await until(show, 1, ({ pendingResult }) => pendingResult === null);
  });
});

test("keys act only while the room has the focus, which it has on a page that was just opened, on every keyboard", async () => {
  const show = await stageTwoHosts({ players: 0 });
  const { ana } = show;
  const main = ana.locator("main");
  await expect(main).toBeFocused();
  await expectActs(ana, "", async () => {
    for (const part of [
      ana.getByRole("radio", { name: "15 seconds" }),
      ana.getByRole("combobox", { name: "Opens" }),
      ana.getByRole("button", { name: "Ask", exact: true }),
      ana.locator("summary").first(),
      ana.getByRole("link", { name: titleOf(3), exact: true }),
      ana.getByRole("list", { name: "Audit" }),
    ]) {
      await part.focus();
      await expect(main).toHaveAttribute("data-keys", "off");
      await ana.keyboard.type("pcs+-");
    }
    await ana.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await expect(main).toHaveAttribute("data-keys", "off");
    await ana.keyboard.type(" pcs+- ");
    await expect(armedOf(ana)).toBeHidden();
  });
  await expectActs(ana, "PUT /advance", async () => {
    await ana.keyboard.press("Escape");
    await expect(main).toBeFocused();
    await press(ana, "Space");
    await expectOnAir(show, 2);
  });

  // A click on a free place does the same, and letters also act on a button.
  await ana.getByRole("textbox", { name: "Question" }).last().focus();
  await main.click({ position: { x: 2, y: 2 } });
  await keysAct(ana);
  await expectActs(ana, "PUT /pause", async () => {
    await ana.getByRole("button", { name: "Keys", exact: true }).focus();
    await keysAct(ana);
    // As on a Cyrillic keyboard, where the keys are in the same places. An input method's own keys do nothing.
    for (const own of [{ keyCode: 229 }, { isComposing: true }])
      await pressOther(ana, { key: "з", code: "KeyP", ...own });
    await expect(ana.getByText("Running", { exact: true })).toBeVisible();
    await untilTaken(ana, () => pressOther(ana, { key: "з", code: "KeyP" }));
    await expect(ana.getByText("Paused", { exact: true })).toBeVisible();
  });
  await ana.keyboard.press("Escape");
  await expect(main).toBeFocused();
  await typeOffline(ana, " cp");
  await expect(ana.getByText("Paused", { exact: true })).toBeVisible();
  expect(await eventOf(show, 2)).toMatchObject({ state: "open" });
  // The button that closes is disabled now: the room gets the focus back.
  await expectActs(ana, "PATCH /state", async () => {
    await ana.getByRole("button", { name: "Close 2", exact: true }).click();
    await until(show, 2, ({ state }) => state === "closed");
    await expect(main).toBeFocused();
  });
});

/** What a key asks for without a network does not happen, then or later. */
async function typeOffline(page: Page, keys: string): Promise<void> {
  await page.context().setOffline(true);
  await expect(page.locator(".topbar .sync.off")).toBeVisible();
  await page.keyboard.type(keys);
  await page.context().setOffline(false);
  await expect(page.locator(".topbar .sync:not(.off)")).toBeVisible();
}

test("for a second after the stage has changed no key runs the show, also not on a focused button", async () => {
  const show = await stageTwoHosts({ players: 0 });
  const { ana, api } = show;
  await ana.clock.install();
  await ana.reload();
  await hydrated(ana);
  await stopClock(ana);
  await expectActs(ana, "", async () => {
    const { id } = await eventOf(show, 1);
    await api("PUT", `/api/v1/events/${id}/advance`, { event: {} });
    // The page's time passes only here, and by less than a second after the change.
    await expect
      .poll(async () => {
        await ana.clock.runFor(100);
        return ana.locator("#on-stage").textContent();
      })
      .toBe(titleOf(2));
    await ana.keyboard.type(" cps+-t ");
    await ana.getByRole("button", { name: /^Advance/ }).focus();
    await ana.keyboard.press("Enter");
    await ana.keyboard.press("Space");
    await expect(armedOf(ana)).toBeHidden();
    expect(await eventOf(show, 2)).toMatchObject({ state: "open" });
    // The 1 came too early, and the T belongs to it.
    await ana.keyboard.press("1");
    await ana.clock.runFor(900);
    await ana.keyboard.press("t");
    await expect(armedOf(ana)).toBeHidden();
    await keysActWhileStopped(ana);
    // There is no such row, or no longer.
    await ana.keyboard.press("9");
    await ana.keyboard.press("t");
    await expect(armedOf(ana)).toBeHidden();
  });
  await expectActs(ana, "PUT /advance", async () => {
    await keysActWhileStopped(ana);
    await ana.keyboard.press("Enter");
    await until(show, 2, ({ state }) => state === "closed");
  });
});

test("the key of an action that waits is its number, also of two digits, whatever else waits", async () => {
  const show = await stageTwoHosts({ players: 0, armedStays: true });
  const { ana, api, session } = show;
  for (let number = EVENTS + 1; number <= 11; number += 1)
    await ask(api, session.id, titleOf(number), { ask: number === 11 });
  const settings = { settlement_delay_seconds: 600 };
  await api("PATCH", `/api/v1/sessions/${session.slug}`, { session: { settings } });
  // When one of the first closes, the next one opens.
  for (const number of [1, 2, 3, 11]) {
    const { id } = await until(show, number, ({ state }) => state === "open");
    await api("PUT", `/api/v1/events/${id}/advance`, { event: {} });
  }
  const decide = async (number: number) =>
    change(api, await eventOf(show, number), { state_event: "resolve", result: true });
  for (const number of [1, 2]) await decide(number);
  await expect(trayOf(ana).getByRole("listitem").first()).toContainText(titleOf(3));
  await press(ana, "3", "t");
  await expect(armedOf(ana)).toContainText("Resolve 3 as Yes?");
  await ana.keyboard.press("Escape");
  // Action 1 waits no more: the 1 is the first digit of 11.
  await expect(async () => {
    await keysAct(ana);
    await ana.keyboard.press("1");
    await ana.keyboard.press("1");
    await expect(trayOf(ana).locator("li.chosen")).toContainText(titleOf(11), { timeout: 1_000 });
  }).toPass();
  await press(ana, "t");
  await expect(armedOf(ana)).toContainText("Resolve 11 as");
});

/** What the page asks the server to change meanwhile: "PUT /advance" once, or nothing. */
async function expectActs(page: Page, act: string, during: () => Promise<void>): Promise<void> {
  const acts: string[] = [];
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" || /\/hosts\//.test(pathname)) return;
    // On a slow machine the page asks for more time, with the moment that the server has decided.
    if (request.postData()?.includes('"effective_at"') === true) return;
    acts.push(`${request.method()} /${pathname.split("/").at(-1)}`);
  };
  page.on("request", note);
  await during();
  page.off("request", note);
  expect(acts).toEqual(act === "" ? [] : [act]);
}

import { type Browser, expect, type Page } from "playwright/test";
import type { ShareView } from "#src/shares/schemas.ts";
import { openEvent, phone, signedIn } from "./players.ts";
import { guestAt } from "./show-host.ts";
import { PROOF, test } from "./support/journey.ts";
import { callSide, decide, startShow } from "./support/two-device-show.ts";

/** A stranger on a phone, whose taps, seconds and words on the screens before each tap are counted. */
async function comeTo(browser: Browser, path: string) {
  const page = await (await browser.newContext({ viewport: phone, hasTouch: true })).newPage();
  await page.goto(path);
  const startedMs = Date.now();
  let [taps, words] = [0, 0];
  const tap = async (name: RegExp) => {
    const control = page.getByRole("button", { name }).or(page.getByRole("radio", { name })).first();
    await expect(control).toBeEnabled();
    words += await wordsInSight(page);
    taps += 1;
    await control.tap();
  };
  const report = (what: string) => {
    const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1);
    process.stdout.write(`${what}: ${taps} taps, ${seconds} s with the waits, ${words} words in sight\n`);
    return taps;
  };
  return { page, tap, report };
}

/** How many words of the first screen are in sight. */
function wordsInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const isSeen = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        element.closest("script, style, .vh, .skip") === null &&
        top <= innerHeight &&
        bottom >= 0
      );
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (texts.nextNode() !== null) {
      const { parentElement, textContent } = texts.currentNode;
      if (parentElement !== null && isSeen(parentElement)) count += textContent?.match(/\S+/g)?.length ?? 0;
    }
    return count;
  });
}

test(
  "new users count their taps: from /, from the code on the big screen and from a shared call to the first call, and on to an account",
  {
    tag: PROOF,
  },
  async ({ browser, baseURL }) => {
    const origin = String(baseURL);
    const placed = (page: Page) => expect(page.getByText(/Placed \d\d:\d\d:\d\d/)).toBeVisible();

    const host = await signedIn(browser, "operator");
    await openEvent(host, { secondsLeft: 8 });
    const door = await comeTo(browser, "/");
    await door.tap(/^Play now$/);
    await expect(door.page).toHaveURL(/\/sessions\//);
    await door.tap(/You think/);
    await placed(door.page);
    expect(door.report("from /")).toBe(2);

    const show = await startShow(browser, origin);
    const { joinCode } = await show.host<{ joinCode: { code: string } }>(
      "GET",
      `/api/v1/sessions/${show.slug}/join_code`,
    );
    const code = await comeTo(browser, `/join?code=${joinCode.code}`);
    await code.tap(/^Play now$/);
    await code.tap(/You think True/);
    await placed(code.page);
    expect(code.report("from the code on the big screen")).toBe(2);

    const sharer = await guestAt(browser, origin);
    await callSide(sharer, show.open, "false");
    const { calls } = await sharer<{ calls: { id: number }[] }>("GET", "/api/v1/calls");
    const { share } = await sharer<{ share: ShareView }>("POST", "/api/v1/shares", {
      share: { kind: "call", target_id: calls[0]?.id },
    });
    const shared = await comeTo(browser, new URL(share.url).pathname);
    await shared.tap(/^(Play|Join|Play as guest)/);
    await expect(shared.page).toHaveURL(/\/sessions\//);
    await shared.tap(/You think/);
    await placed(shared.page);
    expect(shared.report("from a shared call")).toBe(2);

    // The guest of the code wins, and stays: a link, one field, the terms and the button.
    await decide(show, show.open, true);
    const { page } = code;
    await page
      .getByRole("link", { name: /^Keep your/ })
      .first()
      .tap();
    await page.getByLabel("Email").fill(`new_${Date.now()}@example.test`);
    await page.getByLabel("I accept the terms").tap();
    const name = page.getByLabel("Username");
    if ((await name.inputValue()) === "") await name.fill(`new_${Date.now() % 1e9}`);
    await page.getByRole("button", { name: "Create Account" }).tap();
    await expect(page).toHaveURL(`/sessions/${show.slug}`);
  },
);

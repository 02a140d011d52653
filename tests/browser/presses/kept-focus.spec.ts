import { expect, type Page } from "playwright/test";
import { test } from "../support/journey.ts";
import { cancel, play, ready, side } from "../support/one-phone-show.ts";
import { goOn } from "../support/two-device-show.ts";

/** The focus is on something, and not at the top of the page. */
const isKept = (page: Page) => page.evaluate(() => document.activeElement !== document.body);

test("the focus is not lost when what has it leaves by itself, is replaced, or is disabled", async ({
  browser,
}) => {
  const { page, show } = await play(browser);
  // A toast leaves by itself: the focus goes back to where it was before.
  const rank = page.getByRole("link", { name: /Ranks|My rank/ });
  await rank.focus();
  // The press comes with the question, and the focus with the toast, which is there for five seconds.
  await page.evaluate(() => {
    const press = () => document.querySelector<HTMLElement>(".side.true")?.click();
    const question = document.querySelector(".card-q") ?? document.body;
    new MutationObserver(press).observe(question, { characterData: true, childList: true, subtree: true });
    const focus = new MutationObserver(() => {
      const close = document.querySelector<HTMLElement>('.toasts [role="alert"] button');
      if (close === null) return;
      focus.disconnect();
      close.focus();
      document.body.dataset["focused"] = document.activeElement?.closest("[role]")?.textContent ?? "";
    });
    focus.observe(document.body, { childList: true, subtree: true });
  });
  await goOn(show);
  await expect(page.locator("body")).toHaveAttribute("data-focused", /Read it first/);
  await expect(page.getByRole("alert").filter({ hasText: "Read it first" })).toHaveCount(0);
  await expect(rank).toBeFocused();

  // The next question has nothing to cancel.
  await ready(page);
  await side(page, "True").press("Enter");
  await cancel(page).focus();
  await goOn(show);
  await expect(cancel(page)).toHaveCount(0);
  await expect.poll(() => isKept(page)).toBe(true);

  // At the close plus is disabled.
  const more = page.getByRole("button", { name: "More" });
  await more.focus();
  const path = `/api/v1/events/${show.open.id}/state`;
  await show.host("PATCH", path, { event: { state_event: "close_event" } });
  await expect(more).toBeDisabled();
  await expect.poll(() => isKept(page)).toBe(true);
});

import { phone, signedIn } from "./players.ts";
import { apiOf, newGuest } from "./show-host.ts";
import { violationsOf } from "./support/accessibility.ts";
import { inspectPage } from "./support/inspect-page.ts";
import { PROOF, type Page, expect, openLive, test } from "./support/journey.ts";
import { paintOf } from "./support/paint.ts";
import { callSide, decide, startShow } from "./support/two-device-show.ts";

const looks = {
  "a small phone": { viewport: { width: 320, height: 568 } },
  "a phone with forced colours": { viewport: phone, forcedColors: "active", colorScheme: "dark" },
  "a phone with high contrast": { viewport: phone, contrast: "more" },
} as const;

for (const [name, options] of Object.entries(looks)) {
  const tag = name === "a small phone" ? [] : [PROOF];
  test(`what opens over the play screen can be read, reached and used on ${name}`, { tag }, async () => {
    const page = await signedIn("ben", options);
    await openLive(page, await playOne(page));

    await page.getByRole("button", { name: /^Menu/ }).click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await expect(menu.getByRole("radio", { name: "High contrast" })).toBeVisible();
    await expectNoComplaints(page, "menu");
    await menu.getByRole("button", { name: /^Notifications/ }).click();
    await expect(page.getByRole("dialog", { name: "Notifications" })).toBeVisible();
    await expectNoComplaints(page, "notifications");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: /^(My rank|Ranks)/ }).click();
    const leaders = page.getByRole("dialog", { name: "Leaders" });
    await expect(leaders).toBeVisible();
    await expectNoComplaints(page, "leaders");
    await page.keyboard.press("Escape");
    await expect(leaders).toBeHidden();

    const chat = page.getByRole("dialog", { name: "Chat" });
    // A press does nothing where something has just gone, such as a toast. A person presses again.
    await expect(async () => {
      if (!(await chat.isVisible())) await page.getByRole("button", { name: /^Chat/ }).click();
      await expect(chat.getByRole("textbox")).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expectNoComplaints(page, "chat");
    await chat.getByRole("textbox").fill("Look at example.com");
    await chat.getByRole("button", { name: "Send" }).click();
    await expect(chat.getByText(/^Not sent\. /)).toBeVisible();
    await expectNoComplaints(page, "a message that was not sent");
    await chat.getByRole("button", { name: "Edit" }).click();
    await expect(chat.getByText(/^Not sent\. /)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(chat).toBeHidden();

    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    await expectNoComplaints(page, "keys");

    await page.goto("/profile");
    const tabs = page.getByRole("navigation", { name: "Profile" });
    const current = await paintOf(tabs.locator("[aria-current]"));
    expect(await paintOf(tabs.locator("a:not([aria-current])"))).not.toEqual(current);
  });
}

/** A show of its own, whose leaders are known: the player and three others have called its question. @returns its path. */
async function playOne(page: Page): Promise<string> {
  const show = await startShow();
  const callers = [apiOf(page), ...(await Promise.all([1, 2, 3].map(() => newGuest())))];
  for (const [index, caller] of callers.entries())
    await callSide(caller, show.open, index % 2 === 0 ? "true" : "false");
  await decide(show, show.open, true);
  return show.path;
}

async function expectNoComplaints(page: Page, place: string): Promise<void> {
  expect.soft([...(await inspectPage(page)), ...(await violationsOf(page))], place).toEqual([]);
}

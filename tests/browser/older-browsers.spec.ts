import { TOO_OLD } from "#client/base/page/too-old-texts.ts";
import { NEEDED } from "#src/pages/ssr/document.ts";
import { callOn, newGuestPage, phone } from "./players.ts";
import { PROOF, type Page, expect, openLive, test } from "./support/journey.ts";
import { startShow } from "./support/two-device-show.ts";

/** What the page makes itself where a browser lacks it. */
const MADE = [
  "AbortSignal.any",
  "Array.prototype.toReversed",
  "Array.prototype.toSorted",
  "Promise.withResolvers",
  "URL.parse",
];

/** The page of a new guest in a browser that lacks functions. */
async function pageWithout(names: readonly string[]): Promise<Page> {
  const page = await newGuestPage({ viewport: phone });
  await page.addInitScript((removed) => {
    for (const name of removed) {
      const words = name.split(".");
      const last = words.pop() ?? "";
      const owner: unknown = words.reduce<unknown>((at, word) => Reflect.get(Object(at), word), globalThis);
      Reflect.deleteProperty(Object(owner), last);
    }
  }, names);
  return page;
}

const tellsWhy = (page: Page) => page.getByText(TOO_OLD);

test(
  "a browser that lacks what the app needs shows the page as without JavaScript, takes calls by form, and says why",
  { tag: PROOF },
  async () => {
    const { open, path } = await startShow();
    for (const [index, name] of NEEDED.entries()) {
      const page = await pageWithout([name]);
      await page.goto(path);
      await expect(tellsWhy(page), name).toBeVisible();
      await expect(page.getByRole("link", { name: "Reload" })).toBeVisible();
      await expect(page.getByRole("button", { name: "$5" })).toBeHidden();
      await page.getByLabel("Wager in dollars").fill(String(index + 1));
      await page.getByRole("radio", { name: /You think/ }).click();
      await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
      await expect.poll(() => callOn(page, open.id), name).toMatchObject({ wagerCents: (index + 1) * 100 });
      await expect(page.locator("#root[data-hydrated]")).toHaveCount(0);
      await page.context().close();
    }
  },
);

test("a browser that lacks what the app can make itself plays live", { tag: PROOF }, async () => {
  const { open, path } = await startShow();
  const page = await pageWithout(MADE);
  await openLive(page, path);
  await expect(tellsWhy(page)).toBeHidden();
  await page.getByRole("radio", { name: /You think/ }).click();
  await expect(page.getByText(/Placed \d+:\d\d:\d\d/)).toBeVisible();
  await expect.poll(() => callOn(page, open.id)).toMatchObject({ wagerCents: 100 });
  await openLive(page, "/sessions");
});

import { expect } from "playwright/test";
import { activeSlug, signedIn } from "./players.ts";
import { test } from "./support/journey.ts";

const DICTIONARY = /\/assets\/dictionary-[^/]*\.txt$/;

test("once a page is live the browser fetches the dictionary of the pages, and the next page comes without its styles", async ({
  browser,
}) => {
  const page = await signedIn(browser, "ben");
  const slug = await activeSlug(page);
  const bytesOf = () =>
    page.evaluate(() => {
      const [page] = performance.getEntriesByType("navigation");
      return page instanceof PerformanceResourceTiming ? page.encodedBodySize : 0;
    });
  const fetched = page.waitForResponse(DICTIONARY);
  await page.goto("/profile");
  const before = await bytesOf();
  await (await fetched).finished();
  // Whole, and in pieces.
  for (const path of ["/profile", `/sessions/${slug}`, "/profile/wallet"]) {
    const open = async () => {
      const response = await page.goto(path);
      return response?.headers()["content-encoding"];
    };
    await expect.poll(open, path).toBe("dcz");
    await page.locator("#root[data-hydrated]").waitFor();
    await expect(page.locator("header.topbar")).toHaveCSS("display", "flex");
    if (path === "/profile") expect(await bytesOf()).toBeLessThan(before / 2);
  }
});

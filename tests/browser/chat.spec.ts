import { type Browser, expect, type Page } from "playwright/test";
import { desk, signedIn } from "./players.ts";
import { test } from "./support/journey.ts";
import { startShow } from "./support/two-device-show.ts";

/** Opens the chat beside the game on a wide screen. */
async function atChat(browser: Browser, name: string, slug: string): Promise<Page> {
  const page = await signedIn(browser, name, { viewport: desk });
  await page.goto(`/sessions/${slug}`);
  await page.locator("#root[data-hydrated]").waitFor();
  await page.getByRole("button", { name: "Chat", exact: true }).click();
  await expect(page.getByRole("log", { name: "Messages" })).toBeVisible();
  return page;
}

const lineIn = (page: Page, text: string) =>
  page.getByRole("log", { name: "Messages" }).getByRole("listitem").filter({ hasText: text });

test("two players chat beside the game, and a message that the admin removes disappears for both", async ({
  browser,
  baseURL,
}) => {
  const host = await signedIn(browser, "admin");
  const { slug } = await startShow(browser, baseURL ?? "");
  await host.goto(`/sessions/${slug}/leaders`);
  const [ana, ben] = [await atChat(browser, "ana", slug), await atChat(browser, "ben", slug)];
  const words = `Who is with me? ${Date.now()}`;
  await ana.getByLabel("Message", { exact: true }).fill(words);
  await ana.keyboard.press("Enter");
  await expect(lineIn(ana, words)).toContainText("ana (you)");
  await expect(lineIn(ben, words)).toBeVisible();

  // A refused message stays with its reason, and is edited.
  await ben.getByLabel("Message", { exact: true }).fill(`Not me, see example.com ${words}`);
  await ben.getByRole("button", { name: "Send" }).click();
  const failed = lineIn(ben, `Not sent. Say it without "example.com".`);
  await failed.getByRole("button", { name: "Edit" }).click();
  await expect(failed).toHaveCount(0);
  const answer = `Not me. ${Date.now()}`;
  await ben.getByLabel("Message", { exact: true }).fill(answer);
  await ben.getByRole("button", { name: "Send" }).click();
  await expect(lineIn(ana, answer)).toContainText("ben");

  await host.getByRole("link", { name: /^Chat \d+ new messages?$/ }).click();
  await expect(host).toHaveURL(/\/chat$/);
  const rude = lineIn(host, words);
  await rude.getByText("Manage").click();
  await rude.getByRole("button", { name: "Remove message" }).click();
  for (const page of [host, ana, ben]) await expect(lineIn(page, words)).toHaveCount(0);
  await expect(lineIn(ana, "Removed").last()).toContainText("ana (you)");
  await expect(lineIn(ben, answer)).toBeVisible();
});

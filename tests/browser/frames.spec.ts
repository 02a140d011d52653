import { desk, newPage, signedIn } from "./players.ts";
import { apiOf } from "./show-host.ts";
import { complaintsOf } from "./support/complaints.ts";
import { type Page, expect, productUrl, test } from "./support/journey.ts";
import { ask, change, runSession } from "./support/own-show.ts";
import { findProduct } from "./support/product.ts";

/** A page of another site with an address of ours in a frame. */
const inFrame = (path: string, site = findProduct()?.siteUrl ?? "") =>
  `${site}/?frame=${encodeURIComponent(productUrl() + path)}`;

/** As browsers do that refuse the cookies of others: what stores something cannot even be named. */
async function refuseCookies(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window.top === window) return;
    const refuse = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
      Object.defineProperty(window, name, { get: refuse });
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
  });
}

test("the card follows the show in a page of another site without cookies, and its link opens the game in a window of its own", async () => {
  const admin = await signedIn("admin", { viewport: desk });
  const host = apiOf(admin);
  const session = await runSession(host, "In a blog");
  const asked = await ask(host, session.id, "Does it fit?");
  const blog = await newPage({ viewport: desk });
  await refuseCookies(blog);
  const complaints = complaintsOf(blog);
  await blog.goto(inFrame(`/sessions/${session.slug}/card`));
  const card = blog.frameLocator("iframe");
  await expect(card.getByRole("heading", { level: 1 })).toHaveText(asked.title);
  await expect(card.locator("#root[data-hydrated]")).toBeAttached();
  await expect(card.locator("button, input, select, textarea, form")).toHaveCount(0);
  await expect(card.getByRole("link")).toHaveCount(1);
  await change(host, asked, { state_event: "close_event" });
  await expect(card.getByText(/^Calls are closed/)).toBeVisible();
  await change(host, asked, { state_event: "resolve", result: true });
  await expect(card.locator(".stage-result")).toBeVisible();
  expect(await blog.context().cookies()).toEqual([]);
  expect(complaints).toEqual([]);

  const opened = blog.waitForEvent("popup");
  await card.getByRole("link", { name: "Play along" }).click();
  const game = await opened;
  await expect(game).toHaveURL(new RegExp(`${productUrl()}/sessions/${session.slug}$`));
  expect(await game.evaluate(() => [window.top === window, window.opener === null])).toEqual([true, true]);

  // No step inside the app brings another page into the frame: it is asked of the server, which refuses.
  await blog
    .frames()
    .at(1)
    ?.evaluate((path) => {
      history.pushState({ idx: 1, key: "other", usr: null }, "", path);
      dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
    }, `/sessions/${session.slug}`);
  await expect.poll(() => blog.frames().at(1)?.url()).toBe("chrome-error://chromewebdata/");
});

test("the big screen and the overlay can be in a frame of a named site; nothing else can, nor anything in a frame of others", async () => {
  const admin = await signedIn("admin", { viewport: desk });
  const host = apiOf(admin);
  const { id, slug } = await runSession(host, "In a blog");
  const { title } = await ask(host, id, "Is it shown?");
  const blog = await newPage({ viewport: desk });
  await refuseCookies(blog);
  for (const query of ["", "?overlay=1", "?overlay=corner&place=top-right"]) {
    await blog.goto(inFrame(`/sessions/${slug}/stage${query}`));
    await expect(blog.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveText(title);
  }
  const elsewhere = (findProduct()?.siteUrl ?? "").replace("127.0.0.1", "localhost");
  for (const address of [
    inFrame(`/sessions/${slug}`),
    inFrame(`/sessions/${slug}/admin`),
    inFrame(`/sessions/${slug}/dock`),
    inFrame("/users/sign_in"),
    inFrame("/sessions"),
    inFrame(`/sessions/${slug}/card`, elsewhere),
  ]) {
    // With the cookies of an admin too: the page is not shown.
    for (const page of [blog, admin]) {
      await page.goto(address);
      await expect.poll(() => page.frames().at(1)?.url()).toBe("chrome-error://chromewebdata/");
    }
  }
});

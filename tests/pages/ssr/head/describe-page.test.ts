import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { RouteObject } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { isHandle } from "#client/base/page/handle.ts";
import { sessions } from "#db/schema/sessions.ts";
import { shares } from "#db/schema/shares.ts";
import { descriptions } from "#src/pages/ssr/describe-page.ts";
import { createShare } from "#src/shares/create-share.ts";
import { parsePage } from "#tests/pages/ssr/parse-page.ts";
import { buildViewers, type ViewerName } from "#tests/pages/ssr/viewers.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const DESCRIPTION_MAX = 160;

const { deps, db, build, server } = await testWorld();
const { readers } = await buildViewers(deps, server);
const { publicUrl } = deps.env;
const show = await build.runningSession({ slug: "the-show", name: "The <Show>" });

async function headOf(name: ViewerName, path: string) {
  const { html, status } = await readers[name].open(path);
  const page = parsePage(html);
  const contents = (selector: string) =>
    [...page.querySelectorAll(selector)].map((element) => element.getAttribute("content"));
  return {
    status,
    title: page.title,
    description: contents('meta[name="description"]'),
    robots: contents('meta[name="robots"]'),
    canonical: [...page.querySelectorAll('link[rel="canonical"]')].map((link) => link.getAttribute("href")),
    card: contents('meta[name="twitter:card"]'),
    og: Object.fromEntries(
      [...page.querySelectorAll('meta[property^="og:"]')].map((element): [string, string | null] => [
        element.getAttribute("property") ?? "",
        element.getAttribute("content"),
      ]),
    ),
  };
}

const screensIn = (list: readonly RouteObject[]): RouteObject[] =>
  list.flatMap((route) => [...(isHandle(route.handle) ? [route] : []), ...screensIn(route.children ?? [])]);
const screens = screensIn(routes);

test("every page has a title and a description of its own, which fit a page of search results", () => {
  expect(Object.keys(descriptions).toSorted()).toEqual(screens.map(({ id }) => id ?? "").toSorted());
  const texts = Object.values(descriptions);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.filter((text) => text.length > DESCRIPTION_MAX)).toEqual([]);
  const titles = screens.map(({ handle }) => (isHandle(handle) ? handle.title : ""));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test.each(["/users/sign_in", "/users/guest_registration", "/terms", "/sessions/the-show"])(
  "a stranger's preview of %s has a title, a description, an address and a picture",
  async (path) => {
    const { status, title, description, canonical, card, og, robots } = await headOf("out", path);
    expect(status).toBe(200);
    expect(og).toMatchObject({
      "og:site_name": "Called It",
      "og:type": "website",
      "og:title": title,
      "og:description": description[0] ?? "-",
      "og:url": `${publicUrl}${path}`,
      "og:image": `${publicUrl}/api/v1/preview.png`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": "Called It: say it before it happens.",
    });
    expect([description.length, canonical, card, robots]).toEqual([
      1,
      [`${publicUrl}${path}`],
      ["summary_large_image"],
      [],
    ]);
  },
);

/** Slack reads no more of a page. */
const READ_BYTES = 32 * 1_024;

test.each(["/users/sign_in", "/terms", "/sessions/the-show", "/join", `/join?code=${show.joinCode}`])(
  "a preview that reads the first 32 KB of %s has all of it, also on a first visit",
  async (path) => {
    const { html, status } = await readers.out.open(path);
    expect(status).toBe(200);
    const read = Buffer.from(html).subarray(0, READ_BYTES).toString();
    for (const tag of ["og:title", "og:description", "og:url", "og:image", "og:image:alt", "twitter:card"])
      expect(read).toContain(`="${tag}"`);
    expect(read).toContain("</title>");
  },
);

test("the link of an invitation keeps its code", async () => {
  const path = `/join?code=${show.joinCode}`;
  expect((await headOf("out", path)).og["og:url"]).toBe(`${publicUrl}${path}`);
});

test("a session's page is described by what its host wrote, else by its name", async () => {
  const before = await headOf("player", "/sessions/the-show");
  expect(before.description[0]).toStartWith("The <Show>. A live session");
  expect(before.og["og:title"]).toBe("The <Show> · Called It");
  await db.update(sessions).set({ description: 'All about\n"the cup".' }).where(eq(sessions.id, show.id));
  expect((await headOf("out", "/sessions/the-show")).description).toEqual(['All about "the cup".']);
});

test("a player's own pages have a description, and nothing for previews", async () => {
  for (const path of ["/profile", "/profile/wallet", "/shares"]) {
    const { description, og, canonical } = await headOf("player", path);
    expect([description.length, og, canonical]).toEqual([1, {}, []]);
  }
});

test("a page that does not exist is described too, and has no address of its own", async () => {
  const { status, description, canonical, og } = await headOf("out", "/terms/of/nothing");
  expect([status, description.length, canonical, og]).toEqual([404, 1, [], {}]);
});

const shareCall = async () => {
  const player = await build.player();
  const event = await build.event("open", { sessionId: show.id, title: 'Rain "or" <b>?' });
  const targetId = await build.call({ userId: player.id, eventId: event.id });
  const { shareId } = await createShare(db, { viewer: player, kind: "call", targetId }, new Date());
  const { token } = only(await db.select().from(shares).where(eq(shares.id, shareId)));
  return { player, token };
};

test("a shared page is previewed by what the link shows, with its own picture, and is left out of search engines", async () => {
  const { player, token } = await shareCall();
  const { status, og, description, robots, canonical } = await headOf("out", `/shared/${token}`);
  expect(status).toBe(200);
  expect(og).toMatchObject({
    "og:title": `${player.username} says True: Rain "or" <b>?`,
    "og:description": description[0] ?? "-",
    "og:url": `${publicUrl}/shared/${token}`,
    "og:image": `${publicUrl}/api/v1/shared/${token}/picture.png`,
  });
  expect([robots, canonical]).toEqual([["noindex"], [`${publicUrl}/shared/${token}`]]);
});

test("a shared page tells nobody the player's address or money", async () => {
  const { player, token } = await shareCall();
  const { html } = await readers.out.open(`/shared/${token}`);
  expect(html).not.toContain(player.email ?? "@");
  expect(html).not.toContain("$100.00");
});

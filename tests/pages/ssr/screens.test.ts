import { expect, test } from "bun:test";
import { mainItems, userItems } from "#client/ui/navigation.ts";
import { createServer } from "#src/server.ts";
import { testWorld } from "#tests/support/world.ts";
import { linksOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName, viewerNames } from "./viewers.ts";

const { deps, build } = await testWorld();
const { readers } = await buildViewers(deps, createServer(deps));
await build.runningSession({ slug: "the-show", name: "The Show" });

const SHOW = "/sessions/the-show";

// From a tab of the session, so that an admin is not redirected to the Admin tab.
const fromTab = { referer: `http://localhost:3000${SHOW}/history` };

/** The live screen, which everybody may open. */
async function openShow(name: ViewerName) {
  const { status, html } = await readers[name].open(SHOW, fromTab);
  expect(status).toBe(200);
  return parsePage(html);
}

const ADMIN_ITEMS = [
  "Blueprints /blueprints",
  "Sessions /sessions",
  "Leaderboard /leaderboard",
  "Users /users",
];
const staffItems = (...forAdmins: string[]) => [
  "Profile /profile",
  "Operations /admin",
  "Books /admin/books",
  ...forAdmins,
  "Queues /admin/queues",
];

/** Who sees which items. Only Profile is for everybody; Dashboard is disabled, so nobody sees it. */
const navigation: Record<ViewerName, { top: string[]; user: string[] }> = {
  admin: { top: ADMIN_ITEMS, user: staffItems("Audit /admin/audit", "Webhooks /admin/webhooks") },
  operator: { top: [], user: staffItems() },
  player: { top: [], user: ["Profile /profile"] },
  guest: { top: [], user: ["Profile /profile"] },
  out: { top: [], user: [] },
};

/** Who sees which tabs of a session, in this order. */
const tabs: Record<ViewerName, string[]> = {
  admin: [
    `Admin ${SHOW}/admin`,
    `Action ${SHOW}`,
    `Leaders ${SHOW}/leaders`,
    `Chat ${SHOW}/chat`,
    `History ${SHOW}/history`,
  ],
  operator: [`Action ${SHOW}`, `History ${SHOW}/history`],
  player: [`Action ${SHOW}`, `History ${SHOW}/history`],
  guest: [`Action ${SHOW}`, `History ${SHOW}/history`],
  out: [],
};

test.each(viewerNames)(
  "on the live screen %s sees exactly these items of the top navigation",
  async (name) => {
    expect(linksOf(await openShow(name), 'header.topbar > nav[aria-label="Main"] a')).toEqual(
      navigation[name].top,
    );
  },
);

test.each(viewerNames)(
  "on the live screen %s sees exactly these items of the user navigation",
  async (name) => {
    expect(linksOf(await openShow(name), '#menu nav[aria-label="You"] a')).toEqual(navigation[name].user);
  },
);

test.each(viewerNames)(
  "on the live screen %s sees exactly these tabs of the session, in this order",
  async (name) => {
    expect(linksOf(await openShow(name), 'nav[aria-label="Session"] a')).toEqual(tabs[name]);
  },
);

test("the page of each item of an admin has the item's label as its heading", async () => {
  const items = [...mainItems, ...userItems].filter(({ path, ownPage }) => path !== "/profile" && !ownPage);
  expect(items.length).toBe(8);
  for (const { label, path } of items) {
    const { html } = await readers.admin.open(path);
    expect([path, textsOf(parsePage(html), "h1")]).toEqual([path, [label]]);
  }
});

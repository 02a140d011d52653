import { describe, expect, test } from "bun:test";
import { mainItems, userItems } from "#client/ui/navigation.ts";
import { createServer } from "#src/server.ts";
import { buildSessionIn } from "#tests/show/sessions/fixtures.ts";
import { buildEvent, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { all, factsOf, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName, viewerNames } from "./viewers.ts";

const deps = await testDeps();
const server = createServer(deps);
const { readers, users } = await buildViewers(deps, server);
const show = await buildRunningSession(deps, { slug: "the-show", name: "The Show" });

const openAsAdmin = async (path: string) => parsePage((await readers.admin.open(path)).html);

describe("the Admin tab", () => {
  // Of each action the state that allows it, because a button that is not allowed sends nothing.
  test.each([
    ["publish_event", "draft", "Publish"],
    ["open_event", "visible", "Open"],
    ["close_event", "open", "Close"],
    ["reset", "closed", "Reset"],
    ["hide", "visible", "Hide"],
    ["show", "hidden", "Show"],
  ] as const)("sends %s of a %s event with the button %s", async (intent, state, label) => {
    const { id } = await buildEvent(deps, state, { sessionId: show.id });
    const page = await openAsAdmin(`/sessions/the-show/admin?event=${id}`);
    const selector = `section[aria-label="By hand"] button[name="intent"][value="${intent}"]`;
    expect(textsOf(page, selector)).toEqual([label]);
  });
});

test.each([
  ["pending", "Pending"],
  ["running", "Running"],
  ["paused", "Paused"],
  ["stopped", "Stopped"],
] as const)("a session that is %s is called %s", async (state, label) => {
  const { slug } = await buildSessionIn(deps, state);
  const page = await openAsAdmin(`/sessions/${slug}/admin`);
  expect(textsOf(page, ".session-deck .standing .pill").slice(0, 1)).toEqual([label]);
});

const { player: reader, admin } = readers;
const { id: sessionId } = await buildRunningSession(deps, { slug: "derby", name: "Derby" });

/** The times that a list of facts has under a label, as ISO 8601. */
function timeAt(page: ReturnType<typeof parsePage>, list: string, label: string) {
  const name = all(page, `${list} dt`).find(({ textContent }) => textContent === label);
  return name?.nextElementSibling.querySelector("time")?.getAttribute("datetime");
}

describe("an event has when it was created and when it was published", () => {
  test.each(["open", "resolved"] as const)("on the page of its settlement: %s", async (state) => {
    const { id } = await buildEvent(deps, state, { sessionId });
    const { createdAt, publishedAt } = await readEvent(deps, id);
    const page = parsePage((await reader.open(`/sessions/derby/events/${id}`)).html);
    expect(timeAt(page, "main dl.about", "created")).toBe(createdAt.toISOString());
    expect(timeAt(page, "main dl.about", "published")).toBe(publishedAt?.toISOString());
  });

  test("on the Admin tab", async () => {
    const { id } = await buildEvent(deps, "visible", { sessionId });
    const { createdAt, publishedAt } = await readEvent(deps, id);
    const page = parsePage((await admin.open(`/sessions/derby/admin?event=${id}`)).html);
    expect(timeAt(page, ".event-editor dl", "created")).toBe(createdAt.toISOString());
    expect(timeAt(page, ".event-editor dl", "published")).toBe(publishedAt?.toISOString());
  });

  test("and a draft only when it was created", async () => {
    const { id } = await buildEvent(deps, "draft", { sessionId });
    const page = parsePage((await admin.open(`/sessions/derby/admin?event=${id}`)).html);
    expect(Object.keys(factsOf(oneOf(page, ".event-editor"), "dl"))).toEqual(["created"]);
  });
});

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
  admin: { top: ADMIN_ITEMS, user: staffItems("Webhooks /admin/webhooks") },
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

describe("on the live screen", () => {
  test.each(viewerNames)("%s sees exactly these items of the top navigation", async (name) => {
    expect(linksOf(await openShow(name), 'header.topbar > nav[aria-label="Main"] a')).toEqual(
      navigation[name].top,
    );
  });

  test.each(viewerNames)("%s sees exactly these items of the user navigation", async (name) => {
    expect(linksOf(await openShow(name), '#menu nav[aria-label="You"] a')).toEqual(navigation[name].user);
  });

  test.each(viewerNames)("%s sees exactly these tabs of the session, in this order", async (name) => {
    expect(linksOf(await openShow(name), 'nav[aria-label="Session"] a')).toEqual(tabs[name]);
  });
});

test("the page of each item of an admin has the item's label as its heading", async () => {
  const items = [...mainItems, ...userItems].filter(({ path, ownPage }) => path !== "/profile" && !ownPage);
  expect(items.length).toBe(7);
  for (const { label, path } of items) {
    const { html } = await readers.admin.open(path);
    expect([path, textsOf(parsePage(html), "h1")]).toEqual([path, [label]]);
  }
});

test.each([
  ["out", "/users/sign_in"],
  ["guest", "/guest"],
] as const)("for %s the logo of %s leads to the sessions too", async (name, path) => {
  const page = parsePage((await readers[name].open(path)).html);
  expect(oneOf(page, "a.brand").getAttribute("href")).toBe("/sessions");
});

describe("the menu", () => {
  test.each(["admin", "player"] as const)("of %s has the user's email and avatar", async (name) => {
    const who = oneOf(await openShow(name), "#menu .who");
    const { email, username } = users[name];
    expect(textsOf(who, ".names > *")).toEqual([username, String(email)]);
    // Without a picture the avatar has the first letters of the name.
    expect(textsOf(who, ".avatar")).toEqual([username.replaceAll("_", "").slice(0, 2).toUpperCase()]);
  });
});

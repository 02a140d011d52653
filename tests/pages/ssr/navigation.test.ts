import { describe, expect, test } from "bun:test";
import { mainItems, userItems } from "#client/ui/navigation.ts";
import { createServer } from "#src/server.ts";
import { buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName, viewerNames } from "./viewers.ts";

const SHOW = "/sessions/the-show";
// From a tab of the session, so that an admin is not redirected to the Admin tab.
const fromTab = { referer: `http://localhost:3000${SHOW}/history` };

const deps = await testDeps();
const server = createServer(deps);
const { readers, users } = await buildViewers(deps, server);
await buildRunningSession(deps, { slug: "the-show" });

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

  test.each(viewerNames)("for %s the logo leads to the sessions", async (name) => {
    const logo = oneOf(await openShow(name), "header.topbar > a.brand");
    expect([logo.getAttribute("href"), logo.textContent]).toEqual(["/sessions", "Called It"]);
  });
});

test("the page of each item of an admin has the item's label as its heading", async () => {
  const items = [...mainItems, ...userItems].filter(
    ({ path, ownPage, disabled }) => path !== "/profile" && !ownPage && !disabled,
  );
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
  test.each(["admin", "operator", "player", "guest"] as const)(
    "of %s repeats the items of the top navigation",
    async (name) => {
      const menu = oneOf(await openShow(name), "#menu");
      expect(linksOf(menu, 'nav[aria-label="Main"] a')).toEqual(navigation[name].top);
    },
  );

  test.each(["admin", "player"] as const)("of %s has the user's email and avatar", async (name) => {
    const who = oneOf(await openShow(name), "#menu .who");
    const { email, username } = users[name];
    expect(textsOf(who, ".names > *")).toEqual([username, String(email)]);
    // Without a picture the avatar has the first letters of the name.
    expect(textsOf(who, ".avatar")).toEqual([username.replaceAll("_", "").slice(0, 2).toUpperCase()]);
  });

  test("has a button that opens the notifications", async () => {
    const page = await openShow("player");
    const button = oneOf(page, '#menu button[aria-label="Notifications"]');
    const opened = oneOf(page, `#${button.getAttribute("popovertarget")}`);
    expect(opened.textContent).toContain("Notifications");
  });

  test("is opened by the button in the top bar, also without JavaScript", async () => {
    const page = await openShow("player");
    const opens = oneOf(page, 'header.topbar > button[popovertarget="menu"]');
    expect(opens.textContent).toContain("Menu");
    expect(oneOf(page, "#menu").getAttribute("popover")).toBe("auto");
  });

  test("has a Logout button, whose form signs the user out", async () => {
    const page = await openShow("operator");
    const form = oneOf(page, '#menu form[method="post"]');
    expect(textsOf(form, 'button[type="submit"]')).toEqual(["Logout"]);
    const fields = Object.fromEntries(
      [...form.querySelectorAll("input")].map((input) => [input.name, input.value]),
    );
    const sent = await readers.operator.post(String(form.getAttribute("action")), fields);
    expect([sent.status, sent.location]).toEqual([302, "/users/sign_in"]);
    expect((await readers.operator.open("/profile")).location).toStartWith("/users/sign_in");
  });

  test("of a guest has a Logout link, which asks first", async () => {
    const page = await openShow("guest");
    expect(linksOf(page, '#menu nav[aria-label="Leave"] a')).toEqual(["Logout /users/sign_out"]);
    const asks = await readers.guest.open("/users/sign_out");
    expect([asks.status, asks.html.includes("Leave for good?")]).toEqual([200, true]);
  });
});

import { describe, expect, test } from "bun:test";
import { users } from "#db/schema/users.ts";
import { cookieNames } from "#src/http/contract.ts";
import { createServer } from "#src/server.ts";
import { buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader } from "./browser.ts";
import { all, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, viewerNames } from "./viewers.ts";

const FORM = "/users/guest_registration";

const deps = await testDeps();
const server = createServer(deps);
const { readers } = await buildViewers(deps, server);
const session = await buildRunningSession(deps);

let made = 0;
function newForm() {
  made += 1;
  return {
    "user[email]": `reader${made}@example.test`,
    "user[username]": `reader_${made}`,
    "user[password]": "nine lives and a day",
  };
}

async function guestReader(): Promise<Reader> {
  const reader = new Reader(server);
  await reader.sendForm("/users/guest", {}, { from: "/users/sign_in" });
  return reader;
}

const usersCount = () => deps.pool.db.$count(users);

test.each(viewerNames)("%s reads the terms", async (name) => {
  const { status, html } = await readers[name].open("/terms");
  expect(status).toBe(200);
  const page = parsePage(html);
  expect(textsOf(page, "h1")).toEqual(["Terms"]);
  expect(textsOf(page, "h2")).toEqual(expect.arrayContaining(["Play money", "Fair play", "What is kept"]));
});

test("the terms name every cookie that the product sets, and what each is for", async () => {
  const page = parsePage((await readers[viewerNames[0]].open("/terms")).html);
  expect(textsOf(page, "table code")).toEqual([...cookieNames]);
  expect(textsOf(page, "table td").filter((purpose) => purpose.endsWith("."))).toHaveLength(
    cookieNames.length,
  );
});

describe("the form of a new account, without JavaScript,", () => {
  test.each([
    ["of a visitor", () => Promise.resolve(new Reader(server))],
    ["of a guest", guestReader],
  ])("%s asks to accept the terms, which it links to", async (_who, open) => {
    const reader = await open();
    const page = parsePage((await reader.open(FORM)).html);
    const box = oneOf(page, 'input[name="user[terms]"]');
    expect([box.getAttribute("type"), box.hasAttribute("required"), box.hasAttribute("checked")]).toEqual([
      "checkbox",
      true,
      false,
    ]);
    expect(linksOf(page, "form a").some((link) => link.endsWith(" /terms"))).toBe(true);

    const form = newForm();
    const before = await usersCount();
    const refused = await reader.sendForm(FORM, form);
    expect(refused.status).toBe(422);
    const again = parsePage(refused.html);
    expect(textsOf(again, ".err")).toEqual(["Terms must be accepted"]);
    expect(oneOf(again, 'input[name="user[email]"]').getAttribute("value")).toBe(form["user[email]"]);
    expect(await usersCount()).toBe(before);

    const accepted = await reader.sendForm(FORM, { ...form, "user[terms]": "1" });
    expect([accepted.status, accepted.location]).toEqual([302, "/sessions"]);
  });

  test("keeps the accepted terms while something else is refused, and asks for the password once", async () => {
    const before = await usersCount();
    const form = { ...newForm(), "user[terms]": "1", "user[password]": "short" };
    const page = parsePage((await new Reader(server).sendForm(FORM, form)).html);
    expect(textsOf(page, ".err")).toEqual(["Password is too short (minimum is 8 characters)"]);
    expect(oneOf(page, 'input[name="user[terms]"]').hasAttribute("checked")).toBe(true);
    expect(all(page, 'input[type="password"]')).toHaveLength(1);
    expect(await usersCount()).toBe(before);
  });

  test("leads a guest back to the live session, and no visitor", async () => {
    const linksIn = async (reader: Reader) => linksOf(parsePage((await reader.open(FORM)).html), "form a");
    expect(await linksIn(await guestReader())).toContain(
      `Back to the live session /sessions/${session.slug}`,
    );
    expect((await linksIn(new Reader(server))).join()).not.toContain("Back to");
  });
});

test.each([
  ["out", "/users/sign_in"],
  ["guest", "/guest"],
  ["player", "/profile"],
] as const)("%s finds the terms on %s", async (name, path) => {
  const page = parsePage((await readers[name].open(path)).html);
  expect(linksOf(page, 'a[href="/terms"]')).toContain("Terms /terms");
});

test("a page carries the name of its route, or its path", async () => {
  const routeOf = async (path: string) => {
    const page = parsePage((await readers.guest.open(path)).html);
    return oneOf(page, "[data-route]").getAttribute("data-route");
  };
  expect([await routeOf("/guest"), await routeOf("/terms")]).toEqual(["guestInterstitial", "/terms"]);
});

import { expect, test } from "bun:test";
import { count, eq } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { buildAdmin, buildPlayer, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader, readerFor } from "./browser.ts";
import { all, parsePage, textsOf } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const ana = await buildPlayer(deps);
await givePassword(deps, ana.id);

const fieldsOf = (email: string | null, password = PASSWORD) => ({
  "user[email]": email ?? "",
  "user[password]": password,
});

async function countSignIns(): Promise<number> {
  return only(await deps.pool.db.select({ count: count() }).from(signIns).where(eq(signIns.userId, ana.id)))
    .count;
}

test("a form without JavaScript signs in and redirects to the sessions", async () => {
  const reader = new Reader(server);
  const sent = await reader.sendForm("/users/sign_in", fieldsOf(ana.email));
  expect([sent.status, sent.location]).toEqual([302, "/sessions"]);
  const page = await reader.open("/profile");
  expect(page.status).toBe(200);
  expect(page.html).toContain(ana.username);
});

test("signing in redirects back to the previous page, but never to another site", async () => {
  const back = async (to: string) => {
    const path = `/users/sign_in?${new URLSearchParams({ return_to: to }).toString()}`;
    return (await new Reader(server).sendForm(path, fieldsOf(ana.email))).location;
  };
  expect(await back("/profile/wallet?page=2")).toBe("/profile/wallet?page=2");
  for (const elsewhere of [
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "javascript:alert(1)",
    "/a b",
  ]) {
    expect(await back(elsewhere)).toBe("/sessions");
  }
});

test("a wrong password is an error in the form, which keeps the email and not the password", async () => {
  const before = await countSignIns();
  const page = await new Reader(server).sendForm("/users/sign_in", fieldsOf(ana.email, "not my password"));
  expect(page.status).toBe(401);
  expect(page.html).toContain("Invalid credentials or password.");
  expect(page.html).toContain('role="alert"');
  expect(page.html).toContain(`value="${ana.email}"`);
  expect(page.html).not.toContain("not my password");
  expect(await countSignIns()).toBe(before);
});

test("empty fields are errors", async () => {
  const page = await new Reader(server).sendForm("/users/sign_in", fieldsOf("", ""));
  expect(page.status).toBe(422);
  expect(page.html).toContain("can&#x27;t be blank");
});

test("a form without an anti-forgery token, or with another client's, does not sign in", async () => {
  const before = await countSignIns();
  const bare = await new Reader(server).post("/users/sign_in", fieldsOf(ana.email));
  expect(bare.status).toBe(422);
  const stranger = new Reader(server);
  await stranger.open("/users/sign_in");
  const token = stranger.token;
  const forged = await new Reader(server).post("/users/sign_in", {
    authenticity_token: token,
    ...fieldsOf(ana.email),
  });
  expect(forged.status).toBe(422);
  expect(await countSignIns()).toBe(before);
});

test("who was sent to the sign-in page finds its form first and the game below; the page itself begins with the game", async () => {
  const read = async (path: string) => {
    const page = parsePage((await new Reader(server).open(path)).html);
    return {
      heading: textsOf(page, "h1"),
      parts: all(page, "main input").map((field) => field.getAttribute("name")),
    };
  };
  const sent = await read("/users/sign_in?return_to=%2Fblueprints");
  expect(sent.heading).toEqual(["Sign in"]);
  const ofForm = sent.parts.filter((name) => name !== "authenticity_token").slice(0, 2);
  expect(ofForm).toEqual(["user[email]", "user[password]"]);
  expect(sent.parts).toContain("code");
  const door = await read("/users/sign_in");
  expect(door.heading).toEqual(["Say it before it happens."]);
  expect(door.parts.indexOf("code")).toBeLessThan(door.parts.indexOf("user[email]"));
});

test("the sign-in page redirects signed-in users", async () => {
  const reader = await readerFor(deps, server, ana);
  const page = await reader.open("/users/sign_in?return_to=%2Fprofile");
  expect([page.status, page.location]).toEqual([302, "/profile"]);
});

test("signing out by form ends the sign-in and redirects to the sign-in page", async () => {
  const reader = await readerFor(deps, server, ana);
  const stolen = await readerFor(deps, server, ana);
  for (const [name, value] of reader.cookies) stolen.cookies.set(name, value);
  const sent = await reader.sendForm("/users/sign_out", {}, { from: "/profile" });
  expect(sent.headers.get("clear-site-data")).toBe('"cache"');
  expect([sent.status, sent.location]).toEqual([302, "/users/sign_in"]);
  expect((await reader.open("/profile")).location).toStartWith("/users/sign_in");
  // The old cookie is no longer valid.
  expect((await stolen.open("/profile")).location).toStartWith("/users/sign_in");
});

test("a sign-out from another site is refused, and the sign-in stays valid", async () => {
  const reader = await readerFor(deps, server, await buildAdmin(deps));
  const sent = await reader.post("/users/sign_out", {});
  expect(sent.status).toBe(422);
  expect((await reader.open("/profile")).status).toBe(200);
});

test("a GET of the sign-out address changes nothing", async () => {
  const reader = await readerFor(deps, server, ana);
  expect((await reader.open("/users/sign_out")).location).toBe("/sessions");
  expect((await reader.open("/profile")).status).toBe(200);
});

test("demo players are offered in a demo only", async () => {
  expect((await new Reader(server).open("/users/sign_in")).html).not.toContain("called-it-demo");
  const demo = createServer({ ...deps, env: { ...deps.env, demo: true } });
  expect((await new Reader(demo).open("/users/sign_in")).html).toContain("called-it-demo");
});

import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { makeAdmin } from "#src/people/users/make-admin.ts";
import { testWorld } from "#tests/support/world.ts";
import { Reader } from "./browser.ts";

const { deps, server, read } = await testWorld();

/** The first link with this text on a page. */
function linkIn(html: string, text: string): string {
  const link = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>(?:<[^>]*>)*${text}`).exec(html)?.[1];
  if (link === undefined) throw new Error(`the page has no link ${text}`);
  return link;
}

test("from an empty product to the first show: each page has the next step as one link", async () => {
  const { passwordUrl } = await makeAdmin(deps, "nora@example.com", "Nora");
  const { pathname, search } = new URL(passwordUrl ?? "");
  const reader = new Reader(server);
  const password = "a long enough sentence";
  const chosen = await reader.sendForm(pathname + search, {
    "user[password]": password,
    "user[password_confirmation]": password,
  });
  expect(chosen.location).toBe("/sessions?now=password_changed");
  const first = (await reader.open(chosen.location ?? "")).html;
  expect(first).toContain("Your password is changed, and you are signed in.");
  expect(first).toContain("You are Nora on every screen.");
  expect(first).not.toContain("No session is live");

  const write = linkIn(first, "Make a blueprint");
  const made = await reader.sendForm(write, {
    intent: "import",
    name: "Opening night",
    text: "Will it rain?\nWill it end late?",
  });
  expect(made.status).toBe(303);
  const second = (await reader.open("/sessions")).html;
  expect(second).toContain("Done: Write the questions");
  const blueprint = linkIn(second, "Open Opening night");
  const generated = await reader.sendForm(blueprint, {
    intent: "generate",
    name: "Opening night",
    time_zone: "UTC",
  });
  expect(generated.status).toBe(303);
  const third = (await reader.open("/sessions")).html;
  const [screen, room] = [linkIn(third, "Big screen"), linkIn(third, "Control room")];
  expect(room).toBe(generated.location?.split("?")[0] ?? "");
  expect((await reader.open(screen)).status).toBe(200);
  expect((await reader.open(room)).html).toContain("Before the show");

  // With a show that has been, and for players, the page has no steps.
  await reader.send("PUT", `${room.replace("/admin", "").replace("/sessions", "/api/v1/sessions")}/start`);
  expect((await reader.open("/sessions")).html).not.toContain("Your first show");
  expect((await read.row(users, eq(users.email, "nora@example.com"))).username).toBe("Nora");
});

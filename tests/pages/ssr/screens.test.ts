import { describe, expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { buildBlueprint, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { all, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName } from "./viewers.ts";

const deps = await testDeps();
const { readers } = await buildViewers(deps, createServer(deps));
await buildRunningSession(deps, { slug: "the-show", name: "The Show" });
const { id: blueprintId } = await buildBlueprint(deps, [{}], { name: "Cup night" });

async function open(name: ViewerName, path: string) {
  const { status, html } = await readers[name].open(path);
  expect([path, status]).toEqual([path, 200]);
  return parsePage(html);
}

describe("the page for guests", () => {
  test("welcomes them", async () => {
    expect(textsOf(await open("guest", "/guest"), "main section > h1")).toEqual(["Welcome, guest user!"]);
  });

  test("says why they are here", async () => {
    expect(textsOf(await open("guest", "/guest"), "main section > p")).toContain(
      "To view the rest of the site, you need to finish creating your account.",
    );
  });

  test("has a Create Account button that leads to the registration", async () => {
    expect(linksOf(await open("guest", "/guest"), "main section a.btn.primary")).toEqual([
      "Create Account /users/guest_registration",
    ]);
  });
});

const layouts = [
  { name: "admin", path: "/sessions", title: "Sessions", action: "New session", body: "The Show" },
  { name: "admin", path: "/blueprints", title: "Blueprints", action: "New blueprint", body: "Cup night" },
  { name: "player", path: "/profile", title: "Profile", action: "Logout", body: "Username" },
] as const;

describe("a page has", () => {
  test.each(layouts)("a title area: $path", async ({ name, path, title }) => {
    expect(textsOf(await open(name, path), "main > header > h1")).toEqual([title]);
  });

  test.each(layouts)("an area for actions beside the title: $path", async ({ name, path, action }) => {
    expect(textsOf(await open(name, path), "main > header > h1 ~ *").join(" ")).toContain(action);
  });

  test.each(layouts)("a body after both: $path", async ({ name, path, body }) => {
    expect(textsOf(await open(name, path), "main > header ~ *").join(" ")).toContain(body);
  });
});

/** The names of the fields that somebody fills in, in their order. */
const fieldsOf = (page: ReturnType<typeof parsePage>, form: string) =>
  all(oneOf(page, form), "input:not([type=hidden]), textarea, select").map((field) =>
    field.getAttribute("name"),
  );

describe("the forms", () => {
  const ofSession = ["name", "description", "starts_at"];

  test("of a session asks for its name, description and start", async () => {
    const fresh = fieldsOf(await open("admin", "/sessions/new"), "main form.panel");
    expect(fresh.slice(0, 4)).toEqual([...ofSession, "slug"]);
    const page = await open("admin", "/sessions/the-show/edit");
    expect(fieldsOf(page, "main form.panel").slice(0, 3)).toEqual(ofSession);
    expect(oneOf(page, 'main form:has([name="description"]) [name="name"]').getAttribute("value")).toBe(
      "The Show",
    );
  });

  test("of a blueprint asks for its name and description", async () => {
    for (const path of ["/blueprints/new", `/blueprints/${blueprintId}/edit`]) {
      const page = await open("admin", path);
      const form = oneOf(page, 'main form:has(textarea[name="description"])');
      expect(all(form, "[name=name], [name=description]").map(({ tagName }) => tagName)).toEqual([
        "INPUT",
        "TEXTAREA",
      ]);
    }
    const page = await open("admin", `/blueprints/${blueprintId}/edit`);
    expect(oneOf(page, 'main form:has([name="description"]) [name="name"]').getAttribute("value")).toBe(
      "Cup night",
    );
  });
});

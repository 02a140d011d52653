import { describe, expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import { buildSessionIn } from "#tests/show/sessions/fixtures.ts";
import {
  buildAdmin,
  buildBlueprint,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, factsOf, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName } from "./viewers.ts";

const deps = await testDeps();
const { readers } = await buildViewers(deps, createServer(deps));
const show = await buildRunningSession(deps, { slug: "the-show", name: "The Show" });
const { id: blueprintId } = await buildBlueprint(deps, [{}], { name: "Cup night" });

async function open(name: ViewerName, path: string) {
  const { status, html } = await readers[name].open(path);
  expect([path, status]).toEqual([path, 200]);
  return parsePage(html);
}

test("the page for guests welcomes them, says why they are here, and leads to the registration", async () => {
  const page = await open("guest", "/guest");
  expect(textsOf(page, "main section > h1")).toEqual(["Welcome, guest user!"]);
  expect(textsOf(page, "main section > p")).toContain(
    "To view the rest of the site, you need to finish creating your account.",
  );
  expect(linksOf(page, "main section a.btn.primary")).toEqual(["Create Account /users/guest_registration"]);
});

const layouts = [
  { name: "admin", path: "/sessions", title: "Sessions", action: "New session", body: "The Show" },
  { name: "admin", path: "/blueprints", title: "Blueprints", action: "New blueprint", body: "Cup night" },
  { name: "player", path: "/profile", title: "Profile", action: "Logout", body: "Username" },
] as const;

test.each(layouts)(
  "a page has a title area, an area for actions beside it, and a body after both: $path",
  async ({ name, path, title, action, body }) => {
    const page = await open(name, path);
    expect(textsOf(page, "main > header > h1")).toEqual([title]);
    expect(textsOf(page, "main > header > h1 ~ *").join(" ")).toContain(action);
    expect(textsOf(page, "main > header ~ *").join(" ")).toContain(body);
  },
);

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

const openAsAdmin = async (path: string) => parsePage((await readers.admin.open(path)).html);

describe("the Admin tab", () => {
  test.each([
    ["draft", "Draft"],
    ["visible", "Visible"],
    ["open", "Open"],
    ["closed", "Closed"],
    ["hidden", "Hidden"],
  ] as const)("an event that is %s is called %s in the running order", async (state, label) => {
    const { id } = await buildEvent(deps, state, { sessionId: show.id });
    const page = await openAsAdmin(`/sessions/the-show/admin?event=${id}`);
    expect(textsOf(page, `li[data-event="${id}"] .st`)).toEqual([label]);
  });

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

  test("names the panel in which an event is resolved", async () => {
    const { id } = await buildEvent(deps, "closed", { sessionId: show.id });
    const page = await openAsAdmin(`/sessions/the-show/admin?event=${id}`);
    expect(textsOf(page, 'section[aria-label="Resolve"] h3')).toEqual(["Resolve"]);
  });

  test("asks for a True Label and a False Label of a new action", async () => {
    const page = await openAsAdmin("/sessions/the-show/admin");
    const labelOf = (name: string) =>
      oneOf(page, `.composer input[name="${name}"]`).getAttribute("placeholder");
    expect([labelOf("true_label"), labelOf("false_label")]).toEqual(["True Label", "False Label"]);
  });
});

test("a blueprint's events have a True Label and a False Label", async () => {
  const blueprint = await buildBlueprint(deps, [{ trueLabel: "Goal", falseLabel: "No goal" }]);
  const page = await openAsAdmin(`/blueprints/${blueprint.id}`);
  expect(textsOf(page, "th")).toEqual(expect.arrayContaining(["True Label", "False Label"]));
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

const server = createServer(deps);
const reader = await readerFor(deps, server, await buildPlayer(deps));
const admin = await readerFor(deps, server, await buildAdmin(deps));
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

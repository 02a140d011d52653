import { describe, expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { buildTitled, readEverything, readOrder } from "#tests/show/blueprints/fixtures.ts";
import { buildAdmin, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { type Page, readerFor } from "./browser.ts";
import { oneOf, parsePage } from "./parse-page.ts";

const deps = await testDeps();
const admin = await readerFor(deps, createServer(deps), await buildAdmin(deps));

const removalOn = (html: string) =>
  oneOf(parsePage(html), '.removed-notice input[name="removal"]').getAttribute("value") ?? "";
const newest = async () =>
  only(await deps.pool.db.select().from(blueprints).orderBy(desc(blueprints.id)).limit(1));

test("without JavaScript several actions are chosen, edited together, moved, copied, removed and brought back", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B", "C"]);
  const path = `/blueprints/${id}/edit`;
  const page = parsePage((await admin.open(path)).html);
  const box = oneOf(page, `input[name="chosen"][value="${ids[1]}"]`);
  expect(box.getAttribute("form")).toBe(oneOf(page, "form.choice-bar").getAttribute("id"));

  const chosen = String(ids[1]);
  const editing = await admin.sendForm(path, { intent: "edit_several", chosen });
  expect(editing.location).toBe(`${path}?panel=several&chosen=${chosen}`);
  expect((await admin.open(editing.location ?? "")).html).toContain("Save for 1 action");
  await admin.sendForm(path, {
    intent: "save_several",
    panel: "several",
    chosen,
    durationSeconds: "45",
    startMode: "by_hand",
  });
  const rows = await deps.pool.db.select().from(blueprintEvents).where(eq(blueprintEvents.blueprintId, id));
  expect(rows.map(({ durationSeconds, startMode }) => `${durationSeconds} ${startMode}`).toSorted()).toEqual([
    "30 after_previous",
    "30 after_previous",
    "45 by_hand",
  ]);
  await admin.sendForm(path, { intent: "move_up", chosen });
  expect(await readOrder(deps, id)).toEqual(["B", "A", "C"]);
  await admin.sendForm(path, { intent: "duplicate_several", chosen });
  expect(await readOrder(deps, id)).toEqual(["B", "B", "A", "C"]);
  const removed = await admin.sendForm(path, { intent: "remove_several", chosen });
  expect([removed.location, await readOrder(deps, id)]).toEqual([`${path}?said=removed`, ["B", "A", "C"]]);
  const removal = removalOn((await admin.open(`${path}?said=removed`)).html);
  const undone = await admin.sendForm(path, { intent: "undo", removal });
  expect([undone.location, await readOrder(deps, id)]).toEqual([
    `${path}?said=restored`,
    ["B", "B", "A", "C"],
  ]);
});

test("what is typed wrongly for several actions is refused beside its field, and nothing changes", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B"]);
  const path = `/blueprints/${id}/edit?panel=several&chosen=${ids[0]}`;
  const before = await readEverything(deps);
  const form = { intent: "save_several", panel: "several", chosen: String(ids[0]) };
  const wrong = await admin.sendForm(path, { ...form, durationSeconds: "2" });
  expect(wrong.status).toBe(422);
  expect(oneOf(parsePage(wrong.html), 'input[name="durationSeconds"]').getAttribute("aria-invalid")).toBe(
    "true",
  );
  const nothing = await admin.sendForm(path, form);
  expect(nothing.html).toContain("Nothing is filled in");
  expect(await readEverything(deps)).toEqual(before);
});

test("a deleted blueprint is brought back from the list, and a blueprint is copied", async () => {
  const { id } = await buildTitled(deps, ["A", "B"]);
  expect((await admin.sendForm(`/blueprints/${id}`, { intent: "delete" })).location).toBe(
    "/blueprints?said=deleted",
  );
  const removal = removalOn((await admin.open("/blueprints?said=deleted")).html);
  const undone = await admin.sendForm(
    `/blueprints/${id}`,
    { intent: "undo", removal },
    { from: "/blueprints" },
  );
  expect([undone.location, await readOrder(deps, id)]).toEqual([
    `/blueprints/${id}?said=restored`,
    ["A", "B"],
  ]);
  const copied = await admin.sendForm(`/blueprints/${id}`, { intent: "duplicate" });
  const copy = await newest();
  expect(copied.location).toBe(`/blueprints/${copy.id}?said=copied`);
  expect([copy.name.endsWith("(copy)"), await readOrder(deps, copy.id)]).toEqual([true, ["A", "B"]]);
});

test("a blueprint is brought in from a text, or made from a past session; a wrong line is named", async () => {
  const page = "/blueprints/new";
  const sent = await admin.sendForm(page, { intent: "import", name: "Brought", text: "1. Rain?\n2. Snow?" });
  const made = await newest();
  expect(sent.location).toBe(`/blueprints/${made.id}/edit?said=brought`);
  expect([made.name, await readOrder(deps, made.id)]).toEqual(["Brought", ["Rain?", "Snow?"]]);
  const corrected = { rows: '[{"title":"Hail?"}]', text: "Rain?\nHale?", name: "Corrected" };
  await admin.sendForm(page, { intent: "import", ...corrected });
  expect(await readOrder(deps, (await newest()).id)).toEqual(["Hail?"]);
  const { slug } = await generateSession(deps, { blueprintId: made.id });
  await admin.sendForm(page, { intent: "from_session", session: slug });
  expect(await readOrder(deps, (await newest()).id)).toEqual(["Rain?", "Snow?"]);
  const before = await readEverything(deps);
  const wrong = await admin.sendForm(page, {
    intent: "import",
    name: "Wrong",
    text: "Rain?\nSnow? | Yes | No | 1",
  });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("line 2: Duration must be greater than or equal to 5");
  expect(await readEverything(deps)).toEqual(before);
});

const where = ({ status, location }: Page) => [status, location];
const words = (page: Page) => page.html.replaceAll("&#x27;", "'");

describe("the page of a blueprint", () => {
  test("creates a session with a start in the viewer's time zone, and redirects to it", async () => {
    const { id } = await buildTitled(deps, ["A?"]);
    const sent = await admin.sendForm(`/blueprints/${id}`, {
      intent: "generate",
      name: "Cup final",
      starts_at: "2026-12-01T20:00",
      time_zone: "Europe/Berlin",
    });
    const made = only(await deps.pool.db.select().from(sessions).where(eq(sessions.blueprintId, id)));
    expect(where(sent)).toEqual([303, `/sessions/${made.slug}/admin`]);
    expect(made).toMatchObject({ name: "Cup final", startsAt: new Date("2026-12-01T19:00:00Z") });
    expect(words(await admin.open(`/blueprints/${id}`))).toContain("Cup final");
  });

  test("refuses a session without a name beside the field, and creates none", async () => {
    const { id } = await buildTitled(deps, ["A?"]);
    const before = await readEverything(deps);
    const sent = await admin.sendForm(`/blueprints/${id}`, { intent: "generate", name: " ", starts_at: "" });
    expect(sent.status).toBe(422);
    expect(words(sent)).toContain("Name can't be blank");
    expect(await readEverything(deps)).toEqual(before);
  });

  test("deletes it, or names the session that prevents it", async () => {
    const free = await buildTitled(deps, ["A?"]);
    expect(where(await admin.sendForm(`/blueprints/${free.id}`, { intent: "delete" }))).toEqual([
      303,
      "/blueprints?said=deleted",
    ]);
    const held = await buildTitled(deps, ["A?"]);
    const { slug } = await generateSession(deps, { blueprintId: held.id });
    const before = await readEverything(deps);
    const sent = await admin.sendForm(`/blueprints/${held.id}`, { intent: "delete" });
    expect(sent.status).toBe(422);
    expect(words(sent)).toContain(
      `Cannot delete record because dependent sessions exist. The session ${slug} is not over yet.`,
    );
    expect(await readEverything(deps)).toEqual(before);
  });
});

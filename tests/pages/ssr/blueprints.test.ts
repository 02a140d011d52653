import { expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { buildTitled, readEverything, readOrder } from "#tests/show/blueprints/fixtures.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Page, readerFor } from "./browser.ts";
import { oneOf, parsePage } from "./parse-page.ts";

const { deps, db, build, server } = await testWorld();
const admin = await readerFor(deps, server, await build.admin());

const plain = {
  title: "Corner?",
  description: "",
  trueLabel: "Yes",
  falseLabel: "No",
  startMode: "after_previous",
  offsetSeconds: "0",
  durationSeconds: "45",
  resolveWithinSeconds: "60",
  minWager: "0.01",
  maxWager: "",
  autoResult: "",
};
const where = ({ status, location }: Page) => [status, location];
/** Removes the comments that React writes between texts. */
const words = (page: Page) => page.html.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
const eventsOf = (blueprintId: number) =>
  db.select().from(blueprintEvents).where(eq(blueprintEvents.blueprintId, blueprintId));

/** A blueprint with events of these titles, and a function that sends the editor's forms. */
const editor = async (titles: readonly string[]) => {
  const { id, ids } = await buildTitled(deps, titles);
  const path = `/blueprints/${id}/edit`;
  return { id, ids, path, send: (fields: Record<string, string>) => admin.sendForm(path, fields) };
};

test("an event is selected by the address and saved by its plain form", async () => {
  const { id, ids, path, send } = await editor(["A?", "B?"]);
  const page = words(await admin.open(`${path}?panel=${ids[1]}`));
  expect(page).toContain("Action 2");
  expect(page).toContain("B?</textarea>");
  const limits = { minWager: "$2", maxWager: "1,250" };
  const sent = await send({ ...plain, ...limits, intent: "save_event", panel: String(ids[1]) });
  expect(where(sent)).toEqual([303, `${path}?panel=${ids[1]}&said=saved`]);
  expect(await readOrder(deps, id)).toEqual(["A?", "Corner?"]);
  expect((await eventsOf(id)).at(-1)).toMatchObject({
    durationSeconds: 45,
    minWagerCents: 200,
    maxWagerCents: 125_000,
    autoResult: null,
  });
  expect(words(await admin.open(sent.location ?? ""))).toContain("Saved.");
});

test("events are added, moved by their buttons, and removed by plain forms", async () => {
  const { id, ids, path, send } = await editor(["A?", "B?"]);
  expect(where(await send({ ...plain, intent: "add_event", panel: "new" }))).toEqual([
    303,
    `${path}?panel=new&said=added`,
  ]);
  expect(words(await admin.open(path))).toContain(`value="${ids[1]}:1"`);
  await send({ intent: "move_event", panel: "", move: `${ids[1]}:1` });
  expect(await readOrder(deps, id)).toEqual(["B?", "A?", "Corner?"]);
  expect(where(await send({ intent: "remove_event", panel: String(ids[0]) }))).toEqual([
    303,
    `${path}?said=removed`,
  ]);
  expect(await readOrder(deps, id)).toEqual(["B?", "Corner?"]);
});

test("errors appear beside the fields of a plain form, the input stays, and nothing changes", async () => {
  const { ids, path } = await editor(["A?"]);
  const before = await readEverything(deps);
  const bad = { ...plain, title: "  ", trueLabel: "Kept", durationSeconds: "4", maxWager: "soon" };
  for (const [intent, panel] of [
    ["save_event", String(ids[0])],
    ["add_event", "new"],
  ] as const) {
    const sent = await admin.sendForm(`${path}?panel=${panel}`, { ...bad, intent, panel });
    expect(sent.status).toBe(422);
    const page = words(sent);
    expect(page).toContain("Question can't be blank");
    expect(page).toContain("Open for, seconds must be greater than or equal to 5");
    expect(page).toContain("Most per player, $ is not a number");
    for (const typed of ["Kept", "soon"]) expect(page).toContain(`value="${typed}"`);
    // The section is open, so that the error in it is visible.
    expect(page).toContain('<details class="more" open="">');
  }
  expect(await readEverything(deps)).toEqual(before);
});

const removalOn = (html: string) =>
  oneOf(parsePage(html), '.removed-notice input[name="removal"]').getAttribute("value") ?? "";
const newest = async () => only(await db.select().from(blueprints).orderBy(desc(blueprints.id)).limit(1));

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
  const rows = await db.select().from(blueprintEvents).where(eq(blueprintEvents.blueprintId, id));
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

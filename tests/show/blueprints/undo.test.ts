import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { createServer } from "#src/server.ts";
import { blueprintAnswer, removalsAnswer } from "#src/show/blueprints/schemas.ts";
import { asApplication } from "#tests/support/application.ts";
import { buildAdmin, buildBlueprint, only } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildTitled, readEverything, readOrder, readRows } from "./fixtures.ts";

const deps = await testDeps();
// The rights of the application, because an undo writes ids.
const asAdmin = await signedInClient(deps, createServer(asApplication(deps)), await buildAdmin(deps));

const post = (path: string, body: unknown) => asAdmin.send("POST", `/api/v1/${path}`, body);
const rowsOf = (blueprintId: number) => readRows(deps, blueprintId);
/** What an undo brings back of a row. */
const lasting = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...row }) => row);
const removals = async (query = "") =>
  v.parse(removalsAnswer, (await asAdmin.get(`/api/v1/blueprint_removals${query}`)).body).removals;

describe("an undo", () => {
  test("brings several removed events back to their positions, with their ids, once", async () => {
    const { id, ids } = await buildTitled(deps, ["A", "B", "C", "D"]);
    const before = await rowsOf(id);
    await post("blueprint_events/batch_destroy", { ids: [ids[3], ids[1]] });
    expect(await readOrder(deps, id)).toEqual(["A", "C"]);
    const removal = only(await removals(`?blueprint_id=${id}`));
    expect(removal).toMatchObject({ name: null, titles: ["B", "D"] });
    expect((await post(`blueprint_removals/${removal.id}/restore`, undefined)).status).toBe(200);
    expect(lasting(await rowsOf(id))).toEqual(lasting(before));
    expect(await removals(`?blueprint_id=${id}`)).toEqual([]);
    const lines = await deps.pool.db.$count(audit);
    await post(`blueprint_removals/${removal.id}/restore`, undefined);
    expect(lasting(await rowsOf(id))).toEqual(lasting(before));
    expect(await deps.pool.db.$count(audit)).toBe(lines);
  });

  test("brings a single event back, beside what was added and moved since", async () => {
    const { id, ids } = await buildTitled(deps, ["A", "B", "C"]);
    await asAdmin.send("DELETE", `/api/v1/blueprint_events/${ids[1]}`);
    await post("blueprint_events", { blueprint_event: { blueprint_id: id, title: "D" } });
    const removal = only(await removals(`?blueprint_id=${id}`));
    await post(`blueprint_removals/${removal.id}/restore`, undefined);
    expect(await readOrder(deps, id)).toEqual(["A", "B", "C", "D"]);
  });

  test("brings a whole blueprint back, with its settings", async () => {
    const { id } = await buildBlueprint(deps, [{ title: "A?" }, { title: "B?" }], { name: "Gone" });
    const [before, events] = [
      only(await deps.pool.db.select().from(blueprints).where(eq(blueprints.id, id))),
      await rowsOf(id),
    ];
    await asAdmin.send("DELETE", `/api/v1/blueprints/${id}`);
    const removal = (await removals()).find(({ name }) => name === "Gone");
    expect(removal?.titles).toEqual(["A?", "B?"]);
    const sent = await post(`blueprint_removals/${removal?.id}/restore`, undefined);
    expect(v.parse(blueprintAnswer, sent.body).blueprint).toMatchObject({
      id,
      name: "Gone",
      description: before.description,
    });
    expect(lasting(await rowsOf(id))).toEqual(lasting(events));
  });
});

test("an undo is refused after a day, without room, without the blueprint, and for a line that removed nothing", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B"]);
  await post("blueprint_events/batch_destroy", { ids: [ids[1]] });
  const { id: removalId } = only(await removals(`?blueprint_id=${id}`));
  await post("blueprint_events/batch_create", {
    blueprint_id: id,
    blueprint_events: Array.from({ length: 199 }, (_, index) => ({ title: `N ${index}` })),
  });
  const full = await readEverything(deps);
  expect((await post(`blueprint_removals/${removalId}/restore`, undefined)).status).toBe(422);
  expect(await readEverything(deps)).toEqual(full);
  const other = only(
    await deps.pool.db.select().from(audit).where(eq(audit.action, "create_blueprint_events")).limit(1),
  );
  expect((await post(`blueprint_removals/${other.id}/restore`, undefined)).status).toBe(404);
  await asAdmin.send("DELETE", `/api/v1/blueprints/${id}`);
  expect((await post(`blueprint_removals/${removalId}/restore`, undefined)).status).toBe(404);
  const whole = (await removals()).find(({ blueprintId }) => blueprintId === id);
  await deps.pool.db.execute(sql`ALTER TABLE audit DISABLE TRIGGER USER`);
  await deps.pool.db.execute(
    sql`UPDATE audit SET created_at = created_at - interval '25 hours' WHERE id = ${whole?.id}`,
  );
  await deps.pool.db.execute(sql`ALTER TABLE audit ENABLE TRIGGER USER`);
  const before = await readEverything(deps);
  const late = await post(`blueprint_removals/${whole?.id}/restore`, undefined);
  expect(late).toMatchObject({ status: 422, body: { code: "too_late_to_undo" } });
  expect((await removals()).some(({ id: listed }) => listed === whole?.id)).toBe(false);
  expect(await readEverything(deps)).toEqual(before);
});

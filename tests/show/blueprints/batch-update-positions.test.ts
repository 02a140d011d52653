import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { createServer } from "#src/server.ts";
import { blueprintEventsAnswer } from "#src/show/blueprints/schemas.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildTitled, readEverything, readOrder } from "./fixtures.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);
const asAdmin = await signedInClient(deps, createServer(deps), admin);

const PATH = "/api/v1/blueprint_events/batch_update_positions";
const send = (blueprint_events: unknown) => asAdmin.send("POST", PATH, { blueprint_events });

/** Lists that are not an order of a blueprint with the events a and b. */
const invalidOrders: [what: string, positionsOf: (a: number, b: number, other: number) => unknown][] = [
  ["one is left out", (a) => [{ id: a, position: 1 }]],
  [
    "one comes twice",
    (a) => [
      { id: a, position: 1 },
      { id: a, position: 2 },
    ],
  ],
  [
    "a position comes twice",
    (a, b) => [
      { id: a, position: 1 },
      { id: b, position: 1 },
    ],
  ],
  [
    "there is a gap",
    (a, b) => [
      { id: a, position: 1 },
      { id: b, position: 3 },
    ],
  ],
  [
    "it starts at 0",
    (a, b) => [
      { id: a, position: 0 },
      { id: b, position: 1 },
    ],
  ],
  [
    "one is of another blueprint",
    (a, _b, other) => [
      { id: a, position: 1 },
      { id: other, position: 2 },
    ],
  ],
  [
    "one more is of another blueprint",
    (a, b, other) => [
      { id: a, position: 1 },
      { id: b, position: 2 },
      { id: other, position: 3 },
    ],
  ],
  [
    "one is unknown",
    (a) => [
      { id: a, position: 1 },
      { id: 999_999_999, position: 2 },
    ],
  ],
  ["all are unknown", () => [{ id: 999_999_999, position: 1 }]],
  [
    "a position is no number",
    (a, b) => [
      { id: a, position: "1" },
      { id: b, position: 2 },
    ],
  ],
  [
    "it says more",
    (a, b) => [
      { id: a, position: 1, title: "Z" },
      { id: b, position: 2 },
    ],
  ],
  ["it is empty", () => []],
  ["it is no list", (a) => ({ id: a, position: 1 })],
];

describe("POST /api/v1/blueprint_events/batch_update_positions", () => {
  test("reorders all events, and returns them in the new order", async () => {
    const { id, ids } = await buildTitled(deps, ["A", "B", "C", "D"]);
    const [a = 0, b = 0, c = 0, d = 0] = ids;
    const { status, body } = await send([
      { id: a, position: 3 },
      { id: b, position: 1 },
      { id: c, position: 4 },
      { id: d, position: 2 },
    ]);
    expect(status).toBe(200);
    const { blueprintEvents } = v.parse(blueprintEventsAnswer, body);
    expect(blueprintEvents.map((event) => event.id)).toEqual([b, d, a, c]);
    expect(blueprintEvents.map((event) => event.position)).toEqual([1, 2, 3, 4]);
    expect(await readOrder(deps, id)).toEqual(["B", "D", "A", "C"]);
    const [line] = await deps.pool.db.select().from(audit).where(eq(audit.subjectId, id));
    expect(line).toMatchObject({
      actorId: admin.id,
      action: "batch_update_positions",
      before: { blueprintEventIds: ids },
      after: { blueprintEventIds: [b, d, a, c] },
    });
  });

  test.each(invalidOrders)("is refused if %s, and nothing changes", async (_what, positionsOf) => {
    const { ids } = await buildTitled(deps, ["A", "B"]);
    const other = await buildTitled(deps, ["C"]);
    const [a = 0, b = 0] = ids;
    const before = await readEverything(deps);
    expect(await send(positionsOf(a, b, other.ids[0] ?? 0))).toMatchObject({
      status: 422,
      body: { errors: { blueprintEvents: ["is invalid"] } },
    });
    expect(await readEverything(deps)).toEqual(before);
  });

  test("requires the root key", async () => {
    expect((await asAdmin.send("POST", PATH, { events: [] })).status).toBe(400);
  });
});

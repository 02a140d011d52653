import { expect, test } from "bun:test";
import * as v from "valibot";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import { blueprintEventsAnswer } from "#src/show/blueprints/schemas.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildTitled, readOrder } from "./fixtures.ts";

const { deps, unchanged, read, signedIn } = await testWorld();
const [admin, asAdmin] = await signedIn.admin();

const PATH = "/api/v1/blueprint_events/batch_create";
const send = (blueprint_id: unknown, blueprint_events: unknown) =>
  asAdmin.send("POST", PATH, { blueprint_id, blueprint_events });
const titled = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Number ${index + 1}?` }));

const { eventsMax } = blueprintLimits;
/** Lists that a blueprint with two events refuses, and the errors. */
const refused: [what: string, rows: unknown[], errors: Record<string, string>][] = [
  [
    "everything wrong with every row",
    [
      { title: "Fine?" },
      { title: "", duration_seconds: 4 },
      { title: "Long?", true_label: "x".repeat(26), duration_seconds: "30" },
    ],
    {
      "blueprintEvents.1.title": "can't be blank",
      "blueprintEvents.1.durationSeconds": "must be greater than or equal to 5",
      "blueprintEvents.2.trueLabel": "is too long (maximum is 25 characters)",
      "blueprintEvents.2.durationSeconds": "is not a number",
    },
  ],
  [
    "limits that no wager fits",
    [{ title: "Fine?" }, { title: "Bet?", min_wager: 2, max_wager: 1 }],
    { "blueprintEvents.1.maxWager": "must be greater than or equal to 2" },
  ],
  [
    "a place among the others",
    [{ title: "Here?", position: 1 }],
    { "blueprintEvents.0.position": "is invalid" },
  ],
  ["what is no event", ["Goal?"], { "blueprintEvents.0": "is invalid" }],
  ["no events", [], { blueprintEvents: "can't be blank" }],
  [
    "more than any blueprint takes",
    titled(eventsMax + 1),
    { blueprintEvents: "is too long (maximum is 200 events)" },
  ],
  [
    "more than there is room for",
    titled(eventsMax - 1),
    { blueprint: "is too long (maximum is 200 events)" },
  ],
];

test("POST /api/v1/blueprint_events/batch_create adds a list at the end, in its order, and returns all events", async () => {
  const { id, ids } = await buildTitled(deps, ["A", "B"]);
  const { status, body } = await send(id, [
    { title: " Corner? ", true_label: "Yes", falseLabel: "No", duration_seconds: 45, max_wager: 5 },
    { title: "Card?" },
  ]);
  expect(status).toBe(201);
  const { blueprintEvents } = v.parse(blueprintEventsAnswer, body);
  expect(blueprintEvents.slice(0, 2).map((event) => event.id)).toEqual(ids);
  expect(blueprintEvents.slice(2)).toMatchObject([
    { position: 3, title: "Corner?", trueLabel: "Yes", falseLabel: "No", durationSeconds: 45, maxWager: 5 },
    { position: 4, title: "Card?", trueLabel: "True", durationSeconds: 30, startMode: "after_previous" },
  ]);
  expect(await readOrder(deps, id)).toEqual(["A", "B", "Corner?", "Card?"]);
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "create_blueprint_events",
    subjectType: "blueprint",
    subjectId: id,
    after: {
      blueprintEvents: [
        { title: "Corner?", maxWagerCents: 500 },
        { title: "Card?", position: 4 },
      ],
    },
  });
});

test.each(refused)(
  "POST /api/v1/blueprint_events/batch_create with invalid data refuses %s, by row, and nothing changes",
  async (_what, rows, errors) => {
    const { id } = await buildTitled(deps, ["A", "B"]);
    const listed = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
    expect(await unchanged(() => send(id, rows))).toMatchObject({ status: 422, body: { errors: listed } });
  },
);

test("POST /api/v1/blueprint_events/batch_create with invalid data says how many more events fit", async () => {
  const { id } = await buildTitled(deps, ["A", "B"]);
  expect((await send(id, titled(eventsMax))).body).toMatchObject({
    detail: "It has 2 events, so there is room for 198 more.",
  });
});

test("POST /api/v1/blueprint_events/batch_create with invalid data refuses an unknown blueprint, and nothing changes", async () => {
  const errors = { blueprint: ["must exist"] };
  expect(await unchanged(() => send(999_999_999, titled(1)))).toMatchObject({
    status: 422,
    body: { errors },
  });
});

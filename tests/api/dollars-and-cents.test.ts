import { expect, test } from "bun:test";
import * as v from "valibot";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import type { Schema } from "#src/http/check-input.ts";
import { cents, dollars } from "#src/http/schemas.ts";
import { sessionMessage, userMessage } from "#src/live/relay/schemas.ts";

const wrapper = v.object({ wrapped: v.custom<Schema>(isSchema) });
const list = v.object({ item: v.custom<Schema>(isSchema) });
const choice = v.object({ options: v.array(v.custom<Schema>(isSchema)) });
const fields = v.object({ entries: v.record(v.string(), v.custom<Schema>(isSchema)) });

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

/** A schema without the `nullable` and `optional` around it. */
function unwrap(schema: Schema): Schema {
  return v.is(wrapper, schema) ? unwrap(v.parse(wrapper, schema).wrapped) : schema;
}

type Money = { path: string; hasTwin: boolean };

/** All amounts in dollars within a schema, and whether each has the same amount in cents beside it. */
function moneyIn(schema: Schema, path: string): Money[] {
  const inner = unwrap(schema);
  if (inner === dollars) return [{ path, hasTwin: false }];
  if (v.is(list, inner)) return moneyIn(v.parse(list, inner).item, `${path}[]`);
  if (v.is(choice, inner)) return v.parse(choice, inner).options.flatMap((option) => moneyIn(option, path));
  if (!v.is(fields, inner)) return [];
  const { entries } = v.parse(fields, inner);
  return Object.entries(entries).flatMap(([name, field]) => {
    if (unwrap(field) !== dollars) return moneyIn(field, `${path}.${name}`);
    const twin = entries[`${name}Cents`];
    return [{ path: `${path}.${name}`, hasTwin: twin !== undefined && unwrap(twin) === cents }];
  });
}

const answers = allEndpoints.flatMap(({ name, endpoint: { answer } }) =>
  answer === undefined || answer === "file" ? [] : [{ name, schema: answer }],
);
const messages = [
  { name: "UserChannel", schema: userMessage },
  { name: "SessionsChannel", schema: sessionMessage },
];

test.each([...answers, ...messages])(
  "every amount in dollars has its twin in whole cents in $name",
  ({ name, schema }) => {
    const missing = moneyIn(schema, name).filter(({ hasTwin }) => !hasTwin);
    expect(missing.map(({ path }) => path)).toEqual([]);
  },
);

test("the amounts are found in lists, choices and objects, null or not", () => {
  const found = [...answers, ...messages].flatMap(({ name, schema }) => moneyIn(schema, name));
  const paths = ["listEvents.events[].maxWager", "SessionsChannel.detail.latest[].wager"];
  expect(found.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
});

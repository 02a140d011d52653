import { expect, test } from "bun:test";
import * as v from "valibot";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { bodySchema } from "#src/api/json-schemas.ts";
import { camelCase } from "#src/http/contract.ts";
import { errorBody } from "#src/http/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { worstTexts } from "./arbitrary.ts";
import { type Happy, openFixture } from "./fixture.ts";
import { happy as happyOf } from "./happy.ts";
import { sendRequest, buildRequest } from "./send-request.ts";
import { textPlaces } from "./text-places.ts";

const fixture = await openFixture({ RATE_LIMITS: "off" });
afterFile(async () => {
  expect(await listDifferences(fixture.deps.pool.db)).toEqual([]);
  await fixture.deps.close();
});

/** Of the worst texts, those that a field gets. The fields take turns, so each day each text meets many of them. */
const PER_FIELD = roundsOf({ daily: 1, many: worstTexts.length });

type Part = Record<string, unknown>;

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test("no text in a body, a query or a path causes a 5xx", async () => {
  const failures: string[] = [];
  let turn = 0;
  for (const named of allEndpoints) {
    const happy = await happyOf[named.name]?.(fixture);
    if (happy === undefined || happy.bytes !== undefined) continue;
    const spoilt = textPlaces(named, happy).flatMap(({ where, requestOf }) => {
      turn += 1;
      const texts = worstTexts.filter((_, nth) => (turn + nth) % worstTexts.length < PER_FIELD);
      return texts.map((text) => ({ sent: `${where} ${JSON.stringify(text)}`, request: requestOf(text) }));
    });
    for (const { sent, request } of spoilt)
      if ((await sendRequest(fixture.server, request)).status >= 500) failures.push(sent);
  }
  expect(failures).toEqual([]);
});

/** One character, as people count them, of eleven code units. */
const FAMILY = "👨‍👩‍👧‍👦";
/** What machines write, and whole files: counted in code units. */
const machineTexts = new Set(["text", "avatar", "client_id", "endpoint", "time_zone", "email", "search"]);

/** The texts of a body that people write, each with its limit. */
function limitsIn({ endpoint: { body: entries } }: NamedEndpoint, { body = {} }: Happy) {
  return Object.entries(bodySchema(entries ?? {}).properties ?? {}).flatMap(([root, schema]) => {
    const part = body[root];
    if (typeof schema === "boolean" || !isPart(part)) return [];
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (typeof field === "boolean" || machineTexts.has(name) || name.includes("password")) return [];
      const { maxLength: max, pattern, format } = field;
      if (max === undefined || pattern !== undefined || format !== undefined) return [];
      const write = (text: string) => ({ ...body, [root]: { ...part, [name]: text } });
      return [{ field: camelCase(name), max, write }];
    });
  });
}

const hasLimits = ({ endpoint: { body = {} } }: NamedEndpoint) =>
  JSON.stringify(bodySchema(body)).includes('"maxLength"');

test("every text that people write may have as many emoji as letters, also in the database", async () => {
  const counted = new Set<string>();
  for (const named of allEndpoints.filter(hasLimits)) {
    const happy = await happyOf[named.name]?.(fixture);
    if (happy === undefined) continue;
    for (const { field, max, write } of limitsIn(named, happy)) {
      const what = `${named.name} ${field}`;
      const saidOf = async (text: string) => {
        const { status, body } = await sendRequest(
          fixture.server,
          buildRequest(named.endpoint, { ...happy, body: write(text) }),
        );
        expect({ what, isBug: status >= 500 }).toEqual({ what, isBug: false });
        const { errors = {} } = v.is(errorBody, body) ? body : {};
        return { what, said: errors[field] ?? [] };
      };
      const tooLong = { what, said: [`is too long (maximum is ${max} characters)`] };
      expect(await saidOf(FAMILY.repeat(max + 1))).toEqual(tooLong);
      expect(await saidOf(FAMILY.repeat(max))).not.toEqual(tooLong);
      counted.add(field);
    }
  }
  expect(counted.size).toBeGreaterThan(8);
});

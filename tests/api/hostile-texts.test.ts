import { expect, test } from "bun:test";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { worstTexts } from "./arbitrary.ts";
import { type Happy, openFixture } from "./fixture.ts";
import { happy as happyOf } from "./happy.ts";
import { sendRequest, buildRequest } from "./send-request.ts";

const fixture = await openFixture({ RATE_LIMITS: "off" });
afterFile(async () => {
  expect(await listDifferences(fixture.deps.pool.db)).toEqual([]);
  await fixture.deps.close();
});

type Part = Record<string, unknown>;

/** The happy request once for each of its texts, with that text replaced. */
function withTextReplaced(happy: Happy, text: string): Happy[] {
  const { body = {}, query = {} } = happy;
  const bodies = Object.entries(body).flatMap(([root, part]) =>
    isPart(part)
      ? partsWithTextReplaced(part, text).map((bad) => ({ ...happy, body: { ...body, [root]: bad } }))
      : [],
  );
  const texts = Object.keys(query).filter((name) => typeof query[name] === "string");
  return [
    ...bodies,
    ...texts.map((name) => ({ ...happy, query: { ...query, [name]: text.toWellFormed() } })),
  ];
}

function partsWithTextReplaced(part: Part, text: string): Part[] {
  const texts = Object.keys(part).filter((name) => typeof part[name] === "string");
  return texts.map((name) => ({ ...part, [name]: text }));
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function statusOf({ endpoint }: NamedEndpoint, happy: Happy): Promise<number> {
  return (await sendRequest(fixture.server, buildRequest(endpoint, happy))).status;
}

test("no text in a body or a query causes a 5xx", async () => {
  const failures: string[] = [];
  for (const named of allEndpoints) {
    const happy = await happyOf[named.name]?.(fixture);
    if (happy === undefined || happy.bytes !== undefined) continue;
    for (const request of worstTexts.flatMap((text) => withTextReplaced(happy, text))) {
      const sent = JSON.stringify(request.body ?? request.query).slice(0, 200);
      if ((await statusOf(named, request)) >= 500) failures.push(`${named.name} ${sent}`);
    }
  }
  expect(failures).toEqual([]);
});

import { expect, test } from "bun:test";
import { allEndpoints, type NamedEndpoint } from "#src/api/all-endpoints.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { listDifferences } from "#tests/support/books.ts";
import { worstTexts } from "./arbitrary.ts";
import { askServer, requestOf } from "./ask.ts";
import { happy as happyOf } from "./happy.ts";
import { type Happy, openStage } from "./stage.ts";

const stage = await openStage({ RATE_LIMITS: "off" });
afterFile(async () => {
  expect(await listDifferences(stage.deps.pool.db)).toEqual([]);
  await stage.deps.close();
});

type Part = Record<string, unknown>;

/** The happy request with this text in place of one of its texts, for each of them. */
function spoiled(happy: Happy, text: string): Happy[] {
  const { body = {}, query = {} } = happy;
  const bodies = Object.entries(body).flatMap(([root, part]) =>
    isPart(part) ? spoiledParts(part, text).map((bad) => ({ ...happy, body: { ...body, [root]: bad } })) : [],
  );
  const texts = Object.keys(query).filter((name) => typeof query[name] === "string");
  return [
    ...bodies,
    ...texts.map((name) => ({ ...happy, query: { ...query, [name]: text.toWellFormed() } })),
  ];
}

function spoiledParts(part: Part, text: string): Part[] {
  const texts = Object.keys(part).filter((name) => typeof part[name] === "string");
  return texts.map((name) => ({ ...part, [name]: text }));
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function statusOf({ endpoint }: NamedEndpoint, happy: Happy): Promise<number> {
  return (await askServer(stage.server, requestOf(endpoint, happy))).status;
}

test("no text in a body or a query is more than an endpoint can bear", async () => {
  const broken: string[] = [];
  for (const line of allEndpoints) {
    const happy = await happyOf[line.name]?.(stage);
    if (happy === undefined || happy.bytes !== undefined) continue;
    for (const request of worstTexts.flatMap((text) => spoiled(happy, text))) {
      const asked = JSON.stringify(request.body ?? request.query).slice(0, 200);
      if ((await statusOf(line, request)) >= 500) broken.push(`${line.name} ${asked}`);
    }
  }
  expect(broken).toEqual([]);
});

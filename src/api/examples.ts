import { readFileSync } from "node:fs";
import * as v from "valibot";

const recordedExample = v.object({
  /** Of the endpoint. */
  name: v.string(),
  request: v.string(),
  body: v.optional(v.unknown()),
  status: v.number(),
  answer: v.optional(v.unknown()),
});
/** A request and its answer, as tests/api/walk.test.ts recorded them. */
export type Example = Omit<v.InferOutput<typeof recordedExample>, "name">;

/**
 * The recorded examples of the reference, one JSON object per line. They are data that ships with the product, like the
 * demo's seeds, so they lie beside those.
 */
export const EXAMPLES_FILE = new URL("../../db/seeds/api-examples.jsonl", import.meta.url);

let examples: ReadonlyMap<string, Example> | null = null;

/** The example of an endpoint, by its name; undefined for an endpoint without one. Reads the file on first use. */
export function exampleOf(name: string): Example | undefined {
  examples ??= readExamples();
  return examples.get(name);
}

function readExamples(): ReadonlyMap<string, Example> {
  const lines = readFileSync(EXAMPLES_FILE, "utf8").trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const { name, ...example } = v.parse(recordedExample, JSON.parse(line));
      return [name, example];
    }),
  );
}

import recorded from "./examples.json" with { type: "json" };

/** A request that was made and what it was answered. */
export type Example = { request: string; body?: unknown; status: number; answer?: unknown };

const examples = new Map<string, Example>(Object.entries(recorded));

/** The example of an endpoint, by its name. */
export function exampleOf(name: string): Example | undefined {
  return examples.get(name);
}

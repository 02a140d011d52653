import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { architectureIn, readArchitecture } from "./read-architecture.ts";

/** It reads all files of the product. */
const WITHIN_MS = 60_000;

// After a change of what imports what: bun run pictures architecture
test(
  "the picture of the architecture shows the rooms and imports of the code",
  () => {
    const svg = readFileSync(new URL("./architecture.svg", import.meta.url), "utf8");
    expect(architectureIn(svg)).toEqual(readArchitecture());
  },
  WITHIN_MS,
);

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { architectureIn, readArchitecture } from "./read-architecture.ts";

/** It reads all files of the product. */
const WITHIN_MS = 60_000;

test(
  "the picture of the architecture shows the rooms and imports of the code",
  () => {
    const svg = readFileSync(new URL("./architecture.svg", import.meta.url), "utf8");
    expect(architectureIn(svg), "draw it again with: bun run pictures architecture").toEqual(
      readArchitecture(),
    );
  },
  WITHIN_MS,
);

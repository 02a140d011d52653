import { expect, test } from "bun:test";
import { POOL_SIZE_MAX } from "#db/client.ts";
import { connectionsFor } from "#src/run/bring-up.ts";

test("the embedded Postgres has room for both pools of each process, of one more that replaces it, and for scripts", () => {
  for (const webConcurrency of [1, 2, 16]) {
    const processes = webConcurrency + 2;
    expect(connectionsFor({ webConcurrency })).toBeGreaterThan(processes * 2 * POOL_SIZE_MAX + POOL_SIZE_MAX);
  }
});

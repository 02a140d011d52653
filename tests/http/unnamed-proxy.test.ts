import { expect, test } from "bun:test";
import { createLog } from "#src/base/log.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";

const silent = await testDeps();

/** The warnings of a server that gets two requests by a proxy of this machine. */
async function warningsOf(trustedProxies: string[], forwarded: string | null): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog({ production: true, logLevel: "warn" }, "test", (line) => lines.push(line));
  const deps = { ...silent, env: { ...silent.env, trustedProxies }, log };
  const server = createServer(deps).listen({ port: 0, hostname: "127.0.0.1" });
  const headers = forwarded === null ? {} : { "x-forwarded-for": forwarded };
  for (let time = 0; time < 2; time += 1)
    await fetch(`http://127.0.0.1:${server.server?.port}/up`, { headers });
  await server.stop(true);
  return lines.filter((line) => line.includes("TRUSTED_PROXIES"));
}

test("a proxy that the settings do not name is told once, because all players share its limits", async () => {
  expect(await warningsOf([], "203.0.113.8")).toHaveLength(1);
  expect(await warningsOf(["10.0.0.0/8"], "203.0.113.8")).toHaveLength(1);
  expect(await warningsOf(["127.0.0.0/8"], "203.0.113.8")).toEqual([]);
  expect(await warningsOf([], null)).toEqual([]);
});

import { expect } from "bun:test";
import { openBenchDeps } from "#tests/bench/bench-deps.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";
import { Load, openShow } from "../load.ts";
import { enterOwnNetwork, handsConnectionsOn } from "./own-network.ts";

// bun tests/proofs/machines/restart-in-turn.ts: restarts two web processes and a worker one after the other under load. Throws if a request,
// a call or a message is lost. In a process of its own, because it may run in a network of its own.
const ANSWERED_MORE = 100;

await enterOwnNetwork();
const deps = await openBenchDeps();
const { dataDir, remove } = makeDataFolder();
const product = startProduct(dataDir, {
  WEB_CONCURRENCY: "2",
  DATABASE_URL: deps.env.databaseUrl,
  REDIS_URL: deps.env.redisUrl,
  SECRET_KEY: deps.env.secretKey,
  DEMO: "off",
  DRAIN_SECONDS: "1",
});
try {
  const origin = await product.url;
  const load = await Load.start(deps, { origin, show: await openShow(deps), sockets: 20, pauseMs: 10 });
  await load.untilMoreIsAnswered(ANSWERED_MORE);
  product.kill("SIGUSR2");
  await waitFor("the restart", () => product.printed().includes("Restarted\n"), {
    withinMs: PROCESS_STARTS_WITHIN_MS,
  });
  await load.untilMoreIsAnswered(ANSWERED_MORE);
  const { lost, unknown, acknowledged, differences, messages, others } = await load.stop();
  const printed = product.printed();
  for (const name of ["web-1", "web-2", "worker"]) expect(printed).toContain(`${name} is restarted`);
  // Without a network of its own the kernel may reset connections that arrive while a port is closed, and the product says so.
  const { ECONNRESET: reset = 0, ...rest } = others;
  expect({ rest, isReset: handsConnectionsOn() && reset > 0 }).toEqual({ rest: {}, isReset: false });
  expect(printed.includes("tcp_migrate_req")).toBe(!handsConnectionsOn());
  expect({ lost, unknown, differences }).toEqual({ lost: [], unknown: [], differences: [] });
  expect(acknowledged).toBeGreaterThan(0);
  expect(messages).toMatchObject({ missed: 0, doubled: 0, rejected: 0 });
  // Every socket got its goodbye and came back.
  expect(Math.min(messages.reconnects, messages.messages)).toBeGreaterThan(0);
} finally {
  product.kill("SIGTERM");
  await product.exited;
  remove();
  await deps.close();
}
process.exit(0);

import { openBenchDeps } from "#tests/bench/bench-deps.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";
import { Load } from "./load.ts";

// bun tests/proofs/machines/restart-in-turn.ts: restarts two web processes and a worker one after the other under load, and sends the report to
// the process that started it. In a process of its own, because it may run in a network of its own.
const ANSWERED_MORE = 100;

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
  const load = new Load(deps, { origin: await product.url });
  await load.start({ readers: 4, callers: 4, sockets: 20 });
  await untilMoreIsAnswered(load);
  product.kill("SIGUSR2");
  await waitFor("the restart", () => product.printed().includes("Restarted\n"), {
    withinMs: PROCESS_STARTS_WITHIN_MS,
  });
  await untilMoreIsAnswered(load);
  const report = await load.stop();
  process.send?.({ report, printed: product.printed() });
} finally {
  product.kill("SIGTERM");
  await product.exited;
  remove();
  await deps.close();
}
process.exit(0);

async function untilMoreIsAnswered(load: Load): Promise<void> {
  const before = load.answered;
  await waitFor("more answers", () => load.answered > before + ANSWERED_MORE);
}

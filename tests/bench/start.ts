import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { atMost } from "./goal.ts";
import { median } from "./numbers.ts";
import { show, type Table } from "./table.ts";

const ROUNDS = 3;

/**
 * Measures the time from the command to the first page with status 200: with an empty data folder, and again with the same
 * folder. One unmeasured start builds the client, which only the first start of a checkout does.
 */
export async function benchStart(): Promise<Table> {
  await timeStart(makeDataFolder());
  const [empty, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = makeDataFolder();
    empty.push(await timeStart(folder, { keep: true }));
    warm.push(await timeStart(folder));
  }
  const seconds = { empty: median(empty) / 1_000, warm: median(warm) / 1_000 };
  return {
    title: "start: seconds to the first page, medians",
    rows: [
      ["", "seconds"],
      ["empty data folder", show(seconds.empty)],
      ["warm", show(seconds.warm)],
    ],
    goals: [
      atMost(5, { what: "start with an empty data folder", measured: seconds.empty, unit: "s" }),
      atMost(1.5, { what: "warm start", measured: seconds.warm, unit: "s" }),
    ],
    notes: ["`bun run start` also installs changed packages first. That is not measured."],
  };
}

async function timeStart(
  { dataDir, remove }: ReturnType<typeof makeDataFolder>,
  { keep = false } = {},
): Promise<number> {
  const startedAt = performance.now();
  const product = startProduct(dataDir);
  const response = await fetch(`${await product.url}/users/sign_in`, { headers: { accept: "text/html" } });
  await response.text();
  const tookMs = performance.now() - startedAt;
  product.kill("SIGTERM");
  await product.exited;
  if (!keep) remove();
  if (response.status !== 200) throw new Error(`the first page has status ${response.status}`);
  return tookMs;
}

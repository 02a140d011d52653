import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { median } from "./numbers.ts";
import { show, type Table } from "./table.ts";

const ROUNDS = 3;

/**
 * From the command to the first page with status 200: from an empty data folder, and again from the one it has left. The
 * pages themselves are built once before, as on any start after the first one of a checkout.
 */
export async function benchStart(): Promise<Table> {
  await timeStart(makeDataFolder());
  const [empty, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = makeDataFolder();
    empty.push(await timeStart(folder, { keep: true }));
    warm.push(await timeStart(folder));
  }
  return {
    title: "start: seconds to the first page, medians",
    rows: [
      ["", "seconds", "goal"],
      ["empty data folder", show(median(empty) / 1_000), "10"],
      ["warm", show(median(warm) / 1_000), "3"],
    ],
    notes: ["`bun run start` installs packages before that, where they have changed."],
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

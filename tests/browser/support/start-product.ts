import { rmSync, writeFileSync } from "node:fs";
import { dataFolderOf } from "#db/embedded/data-folder.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { type Product, productFile } from "./product.ts";

/**
 * Starts the whole product as a person would, with the demo, on its own data folder and port. Playwright calls it before the
 * first journey, and the returned function after the last.
 */
export default async function startForJourneys(): Promise<() => Promise<void>> {
  const { dataDir, remove } = makeDataFolder();
  const product = startProduct(dataDir);
  const url = await product.url;
  const file = productFile(process.pid);
  const { ownerUrl: ownerDatabaseUrl, redisUrl } = dataFolderOf(dataDir);
  writeFileSync(file, JSON.stringify({ url, ownerDatabaseUrl, redisUrl } satisfies Product));
  return async () => {
    product.kill("SIGTERM");
    await product.exited;
    rmSync(file, { force: true });
    remove();
  };
}

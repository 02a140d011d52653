import { rmSync, writeFileSync } from "node:fs";
import { isNotNull } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { dataFolderOf } from "#db/embedded/data-folder.ts";
import { users } from "#db/schema/users.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { PASSWORD } from "../players.ts";
import { type Product, productFile } from "./product.ts";
import { isOnSlowNetwork, startSlowNetwork } from "./slow-network.ts";

/**
 * Starts the whole product as a person would, with the demo, on its own data folder and port. Playwright calls it before the
 * first journey, and the returned function after the last.
 */
export default async function startForJourneys(): Promise<() => Promise<void>> {
  const { dataDir, remove } = makeDataFolder();
  const site = startSite();
  // A journey may send the address that a guest comes from.
  const product = startProduct(dataDir, { TRUSTED_PROXIES: "127.0.0.0/8", FRAME_ORIGINS: site.url.origin });
  const own = await product.url;
  const network = isOnSlowNetwork() ? await startSlowNetwork(own) : null;
  const url = network?.url ?? own;
  const file = productFile(process.pid);
  const { ownerUrl: ownerDatabaseUrl, redisUrl } = dataFolderOf(dataDir);
  await makePasswordsCheap(ownerDatabaseUrl);
  writeFileSync(
    file,
    JSON.stringify({ url, siteUrl: site.url.origin, ownerDatabaseUrl, redisUrl } satisfies Product),
  );
  return async () => {
    network?.stop();
    await site.stop(true);
    product.kill("SIGTERM");
    await product.exited;
    rmSync(file, { force: true });
    remove();
  };
}

/** Another site, by the address of this machine and not by its name: its page has what `?frame=` names in a frame. */
function startSite() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const frame = Bun.escapeHTML(new URL(url).searchParams.get("frame") ?? "");
      const body = `<!doctype html><title>Blog</title><iframe src="${frame}" width="640" height="360"></iframe>`;
      return new Response(body, { headers: { "content-type": "text/html" } });
    },
  });
}

/** The demo's people sign in hundreds of times. A hash says itself how much work it is to check. */
async function makePasswordsCheap(databaseUrl: string): Promise<void> {
  const passwordHash = await Bun.password.hash(PASSWORD, {
    algorithm: "argon2id",
    memoryCost: 8,
    timeCost: 1,
  });
  const pool = connect(databaseUrl, { poolSize: 1 });
  await pool.db.update(users).set({ passwordHash }).where(isNotNull(users.passwordHash));
  await pool.close();
}

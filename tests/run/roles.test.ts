import { expect, test } from "bun:test";
import { connect, type DatabasePool } from "#db/client.ts";
import { type DataFolder, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder, type ProductProcess, startProduct } from "#tests/support/product-process.ts";

const METRICS_TOKEN = "a token that only tests of roles use";
const { dataDir, remove } = makeDataFolder();
const dataFolder = dataFolderOf(dataDir);
const started: ProductProcess[] = [];
afterFile(async () => {
  for (const product of started) await stop(product);
  remove();
});

function start(): ProductProcess {
  const product = startProduct(dataDir, { DEMO: "off", METRICS_TOKEN });
  started.push(product);
  return product;
}

async function stop(product: ProductProcess): Promise<void> {
  product.kill("SIGTERM");
  await product.exited;
}

async function readReady(product: ProductProcess): Promise<unknown> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${await product.url}/ready`, { headers })).json();
}

/** As the owner of the tables. */
async function asOwner<Result>(
  { ownerUrl }: DataFolder,
  work: (pool: DatabasePool) => Promise<Result>,
): Promise<Result> {
  const pool = connect(ownerUrl, { poolSize: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

test("the processes have a role without rights on the books, also in a data folder of an earlier release", async () => {
  const first = start();
  expect(await readReady(first)).toMatchObject({ ready: true, warnings: [] });
  const serving = await asOwner(
    dataFolder,
    async ({ sql }): Promise<unknown> => sql`
    SELECT DISTINCT usename::text AS role FROM pg_stat_activity
    WHERE datname = 'called_it' AND pid <> pg_backend_pid()`,
  );
  expect(serving).toEqual([{ role: "called_it" }]);
  await stop(first);

  // An earlier release knew the owner's role only.
  const server = await startPostgres(dataFolder, { durable: false });
  await asOwner(dataFolder, async ({ sql }) => {
    await sql`DROP OWNED BY called_it`;
    await sql`DROP ROLE called_it`;
  });
  await server.stop();
  expect(await readReady(start())).toMatchObject({ ready: true, warnings: [] });
});

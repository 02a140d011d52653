import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { APPLICATION_ROLE, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { readPid, waitUntil } from "#db/embedded/processes.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import {
  childrenOf,
  makeDataFolder,
  type ProductProcess,
  rememberProcesses,
  startProduct,
} from "#tests/support/product-process.ts";
import { runCommand } from "./command.ts";
import { asOwner, readMark, writeMark } from "./marks.ts";

const WITHIN_MS = 60_000;
const METRICS_TOKEN = "a token that only these tests use, of 32 letters or more";

const left: { process: ProductProcess; remove: () => void }[] = [];
afterTest(async () => {
  for (const { process: product, remove } of left.splice(0)) {
    product.kill("SIGTERM");
    await product.exited;
    remove();
  }
});

/**
 * One data folder for all tests that may share it: making one, and starting it, takes longer than most tests. Its path is too long for
 * a socket in it.
 */
const { dataDir: parent, remove: removeShared } = makeDataFolder();
const dataDir = path.resolve(parent, "a-folder-with-a-long-name/".repeat(5));
let shared: ProductProcess | null = null;
afterFile(async () => {
  shared?.kill("SIGTERM");
  await shared?.exited;
  removeShared();
});

/** The product in the shared folder, started if it does not run. */
async function running(): Promise<ProductProcess> {
  const product = shared ?? startProduct(dataDir, { DEMO: "off", METRICS_TOKEN });
  await product.url;
  shared = product;
  return product;
}

/** Waits until the product in the shared folder has ended. @returns its exit code. */
async function ended(): Promise<number | undefined> {
  const code = await shared?.exited;
  shared = null;
  return code;
}

/** Starts a product without the demo. It is stopped after the test. */
function startIn(dataDir: string, variables: Record<string, string> = {}, remove = () => {}): ProductProcess {
  const product = startProduct(dataDir, { DEMO: "off", ...variables });
  left.push({ process: product, remove });
  return product;
}

function newFolder(): { dataDir: string; start: (variables?: Record<string, string>) => ProductProcess } {
  const { dataDir, remove } = makeDataFolder();
  return { dataDir, start: (variables) => startIn(dataDir, variables, remove) };
}

test("the server answers, Ctrl-C leaves no process behind, and a second start repairs what an earlier release has left", async () => {
  const first = await running();
  expect(await readReady()).toMatchObject({ ready: true, warnings: [] });
  expect(await servingRoles()).toEqual([{ role: APPLICATION_ROLE }]);
  expect((await fetch(`${await first.url}/up`)).status).toBe(200);
  expect(openToOthers(dataDir)).toEqual([]);
  const { socketFolder } = dataFolderOf(dataDir);
  expect([socketFolder.startsWith(dataDir), existsSync(socketFolder)]).toEqual([false, true]);
  const mark = await writeMark(dataDir);
  const children = childrenOf(first.pid);
  expect(children.length).toBeGreaterThanOrEqual(4);
  const stillRunning = rememberProcesses(children);
  first.kill("SIGINT");
  expect(await ended()).toBe(0);
  expect(stillRunning()).toEqual([]);
  expect(existsSync(socketFolder)).toBe(false);
  // An earlier release left files open to others, knew the owner's role only, and let Redis keep its data, in files that it may refuse.
  const formerFiles = path.join(dataDir, "redis/appendonlydir");
  mkdirSync(formerFiles, { recursive: true });
  writeFileSync(path.join(formerFiles, "appendonly.aof.manifest"), "what a full disk has left");
  for (const [file, mode] of [
    ["redis", 0o755],
    ["postgres.log", 0o644],
    ["secret-key", 0o644],
  ] as const) {
    chmodSync(path.join(dataDir, file), mode);
  }
  const server = await startPostgres(dataFolderOf(dataDir), { durable: false });
  await asOwner(dataDir, async ({ sql }) => {
    await sql`DROP OWNED BY called_it`;
    await sql`DROP ROLE called_it`;
  });
  await server.stop();

  await running();
  expect(await readMark(dataDir)).toBe(mark);
  expect(existsSync(formerFiles)).toBe(false);
  expect(openToOthers(dataDir)).toEqual([]);
  expect(await readReady()).toMatchObject({ ready: true, warnings: [] });
}, 180_000);

test("bun run admin beside a running product makes an admin, whose link opens", async () => {
  const url = await (await running()).url;
  const { output } = await runCommand(["admin", "nora@example.com"], { DATA_DIR: dataDir, PUBLIC_URL: url });
  const [link = ""] = /http\S+/.exec(output) ?? [];
  expect((await fetch(link)).status).toBe(200);
});

test("a second start in the same folder is refused, with the address of the first", async () => {
  const url = await (await running()).url;
  const second = startIn(dataDir);
  expect(await second.exited).toBe(1);
  expect(second.printed()).toContain(url);
  expect(second.printed()).toContain("DATA_DIR=.data-2 PORT=3001");
  expect(await waitUntil(() => isReady(url), WITHIN_MS)).toBe(true);
});

test("a taken port is refused before anything is started", async () => {
  const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { dataDir: own, start } = newFolder();
  const refused = start({ PORT: String(taken.port) });
  expect(await refused.exited).toBe(1);
  expect(refused.printed()).toContain(`127.0.0.1:${taken.port} is taken`);
  expect(existsSync(path.join(own, "postgres"))).toBe(false);
  taken.stop();
});

test("without Redis installed, the start prints how to install it and leaves no process behind", async () => {
  const { dataDir: own, start } = newFolder();
  const refused = start({ PATH: "/nowhere" });
  expect(await refused.exited).toBe(1);
  expect(refused.printed()).toMatch(/Redis is missing on this machine\. Install: .*(redis|valkey)/);
  const postmaster = () => readPid(path.join(own, "postgres/postmaster.pid"));
  expect(await waitUntil(() => postmaster() === null, WITHIN_MS)).toBe(true);
});

/** The roles of the processes. */
function servingRoles(): Promise<unknown> {
  return asOwner(
    dataDir,
    async ({ sql }): Promise<unknown> => sql`SELECT DISTINCT usename::text AS role FROM pg_stat_activity
      WHERE datname = 'called_it' AND pid <> pg_backend_pid()`,
  );
}

async function readReady(): Promise<unknown> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${await (await running()).url}/ready`, { headers })).json();
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
}

/** What other users can read, by way of the folders that they can enter. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    const mode = statSync(file).mode & 0o077;
    const below = entry.isDirectory() && (mode & 0o011) !== 0 ? openToOthers(file) : [];
    return [...(mode === 0 ? [] : [`${file} ${mode.toString(8)}`]), ...below];
  });
}

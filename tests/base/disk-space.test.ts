import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isRoot } from "#db/embedded/data-folder.ts";
import { isDiskFull } from "#src/base/disk-space.ts";
import { createServer } from "#src/server.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const MB = 1_048_576;
const folder = makeFileFolder();

test("a folder is full with less free than is needed, and one that is missing is not", async () => {
  expect(await isDiskFull([folder], 1)).toBe(false);
  expect(await isDiskFull([folder], Number.MAX_SAFE_INTEGER)).toBe(true);
  expect(await isDiskFull([path.join(folder, "missing")])).toBe(false);
});

/** A file system of its own needs root on Linux. */
const canMount = isRoot() && process.platform === "linux";

test.skipIf(!canMount)(
  "/ready says that the disk is full until there is room, and pages are still asked for",
  async () => {
    const disk = path.join(folder, "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", disk]).exitCode).toBe(0);
    afterFile(() => Bun.spawnSync(["umount", disk]));
    const deps = await testDeps();
    const server = createServer({
      ...deps,
      env: { ...deps.env, dataDir: disk, storage: { kind: "disk", folder: disk } },
    });
    const ready = async () => {
      const answer = await server.handle(new Request("http://localhost:3000/ready"));
      return { status: answer.status, isFull: (await answer.text()).includes('{"what":"disk full"}') };
    };
    expect(await ready()).toEqual({ status: 200, isFull: false });
    writeFileSync(path.join(disk, "filler"), new Uint8Array(100 * MB));
    const full = await waitFor("the next check", async () => {
      const answer = await ready();
      return answer.isFull && answer;
    });
    expect(full.status).toBe(200);
    rmSync(path.join(disk, "filler"));
    await waitFor("the check after it", async () => !(await ready()).isFull);
  },
);

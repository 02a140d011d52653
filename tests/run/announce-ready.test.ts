import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { untilPasses } from "#tests/support/wait-for.ts";

const FILE = path.join(import.meta.dir, "../../src/run/announce-ready.ts");

/** Announces a process with a stand-in for systemd-notify. @returns reads what systemd was told. */
function announce(variables: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "announce-"));
  const told = path.join(folder, "told");
  const notify = path.join(folder, "systemd-notify");
  writeFileSync(notify, `#!/bin/sh\necho "$*" >> ${told}\n`);
  chmodSync(notify, 0o755);
  const own = ownVariables();
  const child = Bun.spawn(
    [
      process.execPath,
      "-e",
      `import { announceReady } from "${FILE}"; announceReady(); process.stdin.on("data", () => {})`,
    ],
    { stdin: "pipe", env: { ...own, PATH: `${folder}:${own["PATH"]}`, ...variables } },
  );
  afterTest(async () => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true });
  });
  const read = () => (existsSync(told) ? readFileSync(told, "utf8").trim().split("\n") : []);
  return { child, read };
}

test("systemd is told that a process is ready, and gets signs of life for as long as it serves", async () => {
  const { read } = announce({ NOTIFY_SOCKET: "/run/of-no-system", WATCHDOG_USEC: "300000" });
  await untilPasses(() => expect(read()).toEqual(expect.arrayContaining(["--ready", "WATCHDOG=1"])));
  await untilPasses(() => expect(read().filter((line) => line === "WATCHDOG=1").length).toBeGreaterThan(3));
});

test("without a watchdog, or without systemd, there are no signs, and none keeps a process from ending", async () => {
  const unwatched = announce({ NOTIFY_SOCKET: "/run/of-no-system", WATCHDOG_USEC: "" });
  await untilPasses(() => expect(unwatched.read()).toEqual(["--ready"]));
  for (const { child } of [
    unwatched,
    announce({ NOTIFY_SOCKET: "", WATCHDOG_USEC: "300000" }),
    announce({ NOTIFY_SOCKET: "/run/of-no-system", WATCHDOG_USEC: "300000" }),
  ]) {
    await child.stdin.end();
    expect(await child.exited).toBe(0);
  }
  expect(unwatched.read()).toEqual(["--ready"]);
});

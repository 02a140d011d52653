import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startWatchdog } from "#db/embedded/server.ts";
import { copyRoot, inRoot, makeBareRoot, USER } from "#tests/newcomer/bare-root.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";

// README's two commands on machines that have nothing but Node and git: as root, and as a user who may install nothing. The tests as root
// are those of each change: .ci/run.
const MS_PER_MINUTE = 60_000;
const BUN = "npx -y bun@1.4.5";
const START_LOG = "/tmp/start.log";
/** From the command to the first page, a guest's call, and Ctrl-C. */
const PLAY = `
set -m
began=$(date +%s%N)
${BUN} run start > ${START_LOG} 2>&1 &
until grep -q 'is open at' ${START_LOG}; do
  kill -0 $! || { cat ${START_LOG}; exit 1; }
  sleep 0.1
done
echo "open after $((($(date +%s%N) - began) / 100000000)) tenths of a second"
${BUN} tests/proofs/newcomer/place-call.ts http://localhost:3000 || exit 1
kill -INT -- -$!
wait $!
echo "ended with $?"
grep -v " info " ${START_LOG} | tail -n 20
cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -E '[p]ostgres|[r]edis-server|src/[m]ain' || echo 'nothing is left running'
`;
const TEST = `${BUN} run test`;

const folder = mkdtempSync(path.join(tmpdir(), "called-it-newcomer-"));
const watchdog = startWatchdog(["/bin/sh", "-c", 'rm -rf -- "$0"', folder]);
afterFile(() => {
  watchdog.release();
  rmSync(folder, { recursive: true, force: true });
});
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** The start, a call and Ctrl-C. */
async function plays(root: string, who: string, user: "root" | typeof USER): Promise<void> {
  const { code, output } = await inRoot(root, PLAY, { user, onLine: print });
  expect([code, output]).toEqual([0, expect.stringContaining("a guest's call is placed with $1")]);
  // Ctrl-C reaches npx too, which in some releases says that it was interrupted.
  expect(output).toMatch(/^ended with (0|130)$/m);
  expect(output).toContain("Stopped. No process is left running");
  expect(output).toContain("nothing is left running");
  const tenths = Number(/open after (\d+) tenths/.exec(output)?.[1]);
  figure(`${who}: start shows its first page after ${(tenths / 10).toFixed(1)} s`);
}

/** The whole test run, as a user. */
async function tests(root: string): Promise<void> {
  const startedAtMs = performance.now();
  const { code, output } = await inRoot(root, TEST, { user: USER, onLine: print });
  const minutes = (performance.now() - startedAtMs) / MS_PER_MINUTE;
  const sum = output.trimEnd().split("\n").at(-1) ?? "";
  figure(`Debian 12, a user: test ends after ${minutes.toFixed(1)} min with "${sum}"`);
  expect([code, sum]).toEqual([0, expect.stringMatching(/^\d+ passed, 0 failed$/)]);
}

/** What a command says is missing on a machine; then root installs it as that says. */
async function refusesAndIsInstalled(root: string, command: string): Promise<string> {
  const refused = await inRoot(root, command, { user: USER, onLine: print });
  expect(refused.code).not.toBe(0);
  const [line = "", install = ""] =
    /^.* missing on this machine\. Install: sudo (apt-get install .*)$/m.exec(refused.output) ?? [];
  expect(line).not.toBe("");
  const installed = await inRoot(root, `apt-get update -q && ${install} -y -q --no-install-recommends`);
  expect([install, installed.code]).toEqual([install, 0]);
  return refused.output;
}

test("bookworm: start as root, and start and test as a user who is told first what root has to install", async () => {
  const base = await makeBareRoot(path.join(folder, "bookworm"), { name: "bookworm" });
  const other = await copyRoot(base, path.join(folder, "other"));
  await plays(base, "Debian 12, root", "root");
  rmSync(base, { recursive: true, force: true });

  const started = await refusesAndIsInstalled(other, `${BUN} run start`);
  expect(started).not.toContain("[1/");
  await plays(other, "Debian 12, a user", USER);
  const tested = await refusesAndIsInstalled(other, TEST);
  expect(tested).not.toContain("Running");
  await tests(other);
});

for (const release of [{ name: "trixie" }, { name: "noble", like: "gutsy" }]) {
  test(`${release.name}: start as root`, async () => {
    const root = await makeBareRoot(path.join(folder, release.name), release);
    await plays(root, release.name === "trixie" ? "Debian 13, root" : "Ubuntu 24.04, root", "root");
  });
}

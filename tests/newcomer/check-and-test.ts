import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startWatchdog } from "#db/embedded/server.ts";
import { inRoot, makeBareRoot } from "./bare-root.ts";

// bun tests/newcomer/check-and-test.ts: the checks and all tests of what is committed, on a machine of a newcomer. So a program, a font
// or a setting that this machine happens to have helps no test. Needs root on Debian or Ubuntu.
const BUN = "npx -y bun@1.4.5";
const folder = mkdtempSync(path.join(tmpdir(), "called-it-bare-"));
const watchdog = startWatchdog(["/bin/sh", "-c", 'rm -rf -- "$0"', folder]);
const print = (line: string) => void process.stdout.write(`${line}\n`);
print("Making a machine that has nothing but Node and git");
const root = await makeBareRoot(path.join(folder, "bookworm"), { name: "bookworm" });
const script = `set -e\n${BUN} install --frozen-lockfile\n${BUN} run check\n${BUN} run test`;
const { code } = await inRoot(root, script, { onLine: print });
watchdog.release();
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { $ } from "bun";
import { COMPATIBLE_SINCE } from "#db/upgrade/compatible-since.ts";
import { readRelease } from "#db/upgrade/release.ts";
import { CHANGELOG, readChangelog, releaseChanges } from "./changelog.ts";
import { contractFile } from "./contract.ts";

// bun run release 0.2.0: makes two commits and a tag, and pushes nothing. The first commit is the release. The second one begins the next
// release: its version, and what the released one uses of a database, which the next one must still offer.
const TOP = path.join(import.meta.dir, "../..");
const git = $.cwd(TOP);

const [, , version = ""] = process.argv;
const current = readRelease().version;
if (version !== current) stop(`Name the version of package.json: bun run release ${current}`);
if ((await git`git status --porcelain`.text()) !== "") stop("Commit or remove what is changed first.");
const changelog = releaseChanges(readChangelog(), { version, date: new Date().toISOString().slice(0, 10) });
await git`${process.execPath} run check`;
await git`${process.execPath} run test`;
await git`RECORD_RELEASE=on ${process.execPath} test --timeout 60000 tests/growth/reads.test.ts`;

writeFileSync(CHANGELOG, changelog);
await git`git commit CHANGELOG.md -m ${`Release ${version}`}`;
await git`git tag -a ${`v${version}`} -m ${`Release ${version}`}`;

const [major = "0", minor = "0"] = version.split(".");
const next = `${major}.${Number(minor) + 1}.0`;
replaceIn("package.json", `"version": "${version}"`, `"version": "${next}"`);
replaceIn("db/upgrade/compatible-since.ts", `"${COMPATIBLE_SINCE}"`, `"${version}"`);
rmSync(contractFile(COMPATIBLE_SINCE));
const commit = (await git`git rev-parse HEAD`.text()).trim();
replaceIn(
  path.relative(TOP, contractFile(version)),
  `"version": "${version}",`,
  `"version": "${version}",\n  "commit": "${commit}",`,
);
await git`git add --all db/releases package.json db/upgrade/compatible-since.ts`;
await git`git commit -m ${`Begin ${next}`}`;
process.stdout.write(`Tagged v${version}. To publish it: git push --follow-tags\n`);

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(path.join(TOP, file), "utf8");
  if (!text.includes(from)) stop(`${file} does not have ${from}`);
  writeFileSync(path.join(TOP, file), text.replace(from, to));
}

function stop(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

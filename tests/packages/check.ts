import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { buildBillOfMaterials, listLicences } from "./describe-packages.ts";
import { findVulnerabilities } from "./find-vulnerabilities.ts";
import { readPackages } from "./read-packages.ts";
import { writeClient } from "./write-client.ts";

// A part of `bun run check`: writes the bill of materials, the list of licences and the client for programs into dist.packages, refuses licences that are
// not in its list, and asks the registry for known vulnerabilities. Without a registry it says that nobody was asked.
const TOP = path.join(import.meta.dir, "../..");
const FOLDER = path.join(TOP, "dist.packages");
/** What package.json of a package may say. A new one is added here after it was read. */
const allowedLicences: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
  "(MIT AND Zlib)",
  "(MIT OR Apache-2.0)",
  "(WTFPL OR MIT)",
  // Fonts: may be embedded, not sold alone.
  "OFL-1.1",
  // Binds changes of the package's own files only, and none is changed.
  "MPL-2.0",
  // A library that is loaded while the program runs, and can be replaced: libvips.
  "LGPL-3.0-or-later",
];
const productSchema = v.object({ name: v.string(), version: v.string(), license: v.string() });

const product = v.parse(productSchema, JSON.parse(readFileSync(path.join(TOP, "package.json"), "utf8")));
const packages = readPackages(TOP);
mkdirSync(FOLDER, { recursive: true });
const bill = JSON.stringify(buildBillOfMaterials(product, packages), null, 2);
writeFileSync(path.join(FOLDER, "sbom.cdx.json"), `${bill}\n`);
writeFileSync(path.join(FOLDER, "licences.txt"), listLicences(packages));
await writeClient(path.join(FOLDER, "client"), product.version);

const refused = packages.filter(({ licence }) => licence !== null && !allowedLicences.includes(licence));
for (const { name, version, licence } of refused) {
  process.stdout.write(
    `${name} ${version} has the licence ${licence}, which tests/packages/check.ts does not allow\n`,
  );
}
const known = await findVulnerabilities();
if (!known.checked) process.stdout.write(`Note: known vulnerabilities were not checked: ${known.reason}\n`);
else for (const line of known.lines) process.stdout.write(`${line}\n`);
process.exitCode = refused.length > 0 || (known.checked && known.lines.length > 0) ? 1 : 0;

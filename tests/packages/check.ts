import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { buildBillOfMaterials, listLicences } from "./describe-packages.ts";
import { findVulnerabilities } from "./find-vulnerabilities.ts";
import { isAllowed } from "./licences.ts";
import { readPackages } from "./read-packages.ts";

// A part of `bun run check`: writes the bill of materials and the list of licences into dist.packages, refuses licences that are
// not in licences.ts, and asks the registry for known vulnerabilities. Without a registry it says that nobody was asked.
const TOP = path.join(import.meta.dir, "../..");
const FOLDER = path.join(TOP, "dist.packages");
const productSchema = v.object({ name: v.string(), version: v.string(), license: v.string() });

const product = v.parse(productSchema, JSON.parse(readFileSync(path.join(TOP, "package.json"), "utf8")));
const packages = readPackages(TOP);
mkdirSync(FOLDER, { recursive: true });
const bill = JSON.stringify(buildBillOfMaterials(product, packages), null, 2);
writeFileSync(path.join(FOLDER, "sbom.cdx.json"), `${bill}\n`);
writeFileSync(path.join(FOLDER, "licences.txt"), listLicences(packages));

const refused = packages.filter(({ licence }) => licence !== null && !isAllowed(licence));
for (const { name, version, licence } of refused) {
  process.stdout.write(
    `${name} ${version} has the licence ${licence}, which tests/packages/licences.ts does not allow\n`,
  );
}
const known = await findVulnerabilities();
if (!known.checked) process.stdout.write(`Note: known vulnerabilities were not checked: ${known.reason}\n`);
else for (const line of known.lines) process.stdout.write(`${line}\n`);
process.exitCode = refused.length > 0 || (known.checked && known.lines.length > 0) ? 1 : 0;

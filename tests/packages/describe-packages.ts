import { createHash } from "node:crypto";
import type { Package } from "./read-packages.ts";

type Product = { name: string; version: string; license: string };

/**
 * The bill of materials of the product in the format CycloneDX 1.6. It has no time and no random number: the same bun.lock on the
 * same system gives the same file.
 */
export function buildBillOfMaterials(product: Product, packages: readonly Package[]): object {
  const own = `pkg:npm/${product.name}@${product.version}`;
  const refs = new Map(packages.map((each) => [each.key, referenceOf(each)]));
  // The same version can be at several places. What the product needs at one of them comes last here, and counts.
  const ordered = packages.toSorted((a, b) => Number(a.production) - Number(b.production));
  const used = new Map(ordered.map((each) => [referenceOf(each), each]));
  const roots = packages.filter(({ direct }) => direct);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(packages)}`,
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: product.name,
        version: product.version,
        purl: own,
        licenses: [{ expression: product.license }],
      },
    },
    components: [...used.values()].map(describeOne),
    dependencies: [
      { ref: own, dependsOn: roots.map(referenceOf).toSorted() },
      ...[...used].map(([ref, { dependsOn }]) => ({
        ref,
        dependsOn: [...new Set(dependsOn.flatMap((key) => refs.get(key) ?? []))].toSorted(),
      })),
    ],
  };
}

/** The list of licences: each with its packages, then those that are for other systems and not installed on this one. */
export function listLicences(packages: readonly Package[]): string {
  const byLicence = Object.groupBy(
    packages,
    ({ licence }) => licence ?? "for another system, not installed here",
  );
  const parts = Object.entries(byLicence).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return parts
    .map(([licence, members = []]) => {
      const lines = members.map(
        (each) => `  ${each.name} ${each.version}${each.production ? "" : " (development)"}`,
      );
      return `${licence}\n${[...new Set(lines)].toSorted().join("\n")}\n`;
    })
    .join("\n");
}

function describeOne(each: Package): object {
  const [algorithm = "", hash = ""] = each.integrity.split("-", 2);
  return {
    type: "library",
    "bom-ref": referenceOf(each),
    name: each.name,
    version: each.version,
    purl: referenceOf(each),
    scope: each.production ? "required" : "excluded",
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") }],
    ...(each.licence !== null && { licenses: [{ expression: each.licence }] }),
  };
}

/** Its package URL. The "@" of a scope is written as %40. */
function referenceOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A UUID of version 8, made from the packages. */
function uuidOf(packages: readonly Package[]): string {
  const hash = createHash("sha256");
  for (const { key, integrity } of packages) hash.update(`${key} ${integrity}\n`);
  const hex = hash.digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

import { expect, test } from "bun:test";
import path from "node:path";
import { buildBillOfMaterials, listLicences } from "./describe-packages.ts";
import { findVulnerabilities } from "./find-vulnerabilities.ts";
import { type Package, readPackages } from "./read-packages.ts";

const packages = readPackages(path.join(import.meta.dir, "../.."));
const product = { name: "called-it", version: "1.0.0", license: "MIT" };

const one = (changes: Partial<Package>): Package => ({
  key: "@scope/part",
  name: "@scope/part",
  version: "1.2.3",
  integrity: "sha512-AAEC",
  licence: "MIT",
  production: true,
  direct: true,
  dependsOn: [],
  ...changes,
});

test("packages of the product and of its tests are distinguished, through everything that they depend on", () => {
  const productionOf = (key: string) => packages.find((each) => each.key === key)?.production;
  expect(productionOf("elysia")).toBe(true);
  // A dependency of bullmq.
  expect(productionOf("msgpackr")).toBe(true);
  expect(productionOf("playwright")).toBe(false);
  expect(productionOf("oxlint")).toBe(false);
});

test("the bill of materials names each package once, with its hash, its licence and what it depends on", () => {
  const twice = one({ key: "other/@scope/part", production: false, direct: false });
  const other = one({ key: "other", name: "other", licence: null, dependsOn: ["other/@scope/part"] });
  expect(buildBillOfMaterials(product, [one({}), twice, other])).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [
      {
        purl: "pkg:npm/%40scope/part@1.2.3",
        scope: "required",
        hashes: [{ alg: "SHA-512", content: "000102" }],
        licenses: [{ expression: "MIT" }],
      },
      { purl: "pkg:npm/other@1.2.3" },
    ],
    dependencies: [
      { ref: "pkg:npm/called-it@1.0.0", dependsOn: ["pkg:npm/%40scope/part@1.2.3", "pkg:npm/other@1.2.3"] },
      { ref: "pkg:npm/%40scope/part@1.2.3", dependsOn: [] },
      { ref: "pkg:npm/other@1.2.3", dependsOn: ["pkg:npm/%40scope/part@1.2.3"] },
    ],
  });
});

test("the same packages give the same files, and every reference leads to a component", () => {
  expect(buildBillOfMaterials(product, packages)).toEqual(buildBillOfMaterials(product, packages));
  const text = JSON.stringify(buildBillOfMaterials(product, packages));
  const components = new Set([...text.matchAll(/"bom-ref":"([^"]+)"/g)].map(([, ref]) => ref));
  const references = [...text.matchAll(/"dependsOn":\[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, ref]) => ref),
  );
  expect(references.filter((ref) => !components.has(ref))).toEqual([]);
  expect(listLicences(packages)).toContain("MIT\n");
});

test("known vulnerabilities are listed, and without a registry the check says that nobody was asked", async () => {
  const answer =
    '{"left-pad":[{"id":1,"title":"Pads too much","severity":"high","url":"https://example.test/1"}]}';
  expect(await findVulnerabilities(["echo", answer])).toEqual({
    checked: true,
    lines: ["left-pad: Pads too much (high) https://example.test/1"],
  });
  expect(await findVulnerabilities(["echo", "{}"])).toEqual({ checked: true, lines: [] });
  expect(await findVulnerabilities(["sh", "-c", "echo 'error: POST - 405' >&2; exit 1"])).toEqual({
    checked: false,
    reason: "error: POST - 405",
  });
  expect(await findVulnerabilities(["false"])).toEqual({
    checked: false,
    reason: "the registry does not answer",
  });
});

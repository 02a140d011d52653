import { DatabaseRefused } from "../upgrade/refusal.ts";
import { readRelease, type Release } from "../upgrade/release.ts";
import { compareSql } from "../upgrade/state.ts";
import type { DatabaseContents } from "./contents.ts";

/**
 * Refuses a backup that this release cannot use.
 * @throws DatabaseRefused if it is of a newer release, or of another program.
 */
export function refuseContents(contents: DatabaseContents, release: Release = readRelease()): void {
  const own = new Map(release.migrations.map(({ createdAt, hash }) => [createdAt, hash]));
  const [baseline] = release.migrations;
  if (!contents.migrations.some(({ createdAt }) => createdAt === baseline?.createdAt)) {
    throw new DatabaseRefused(
      "The backup is of a release from before the baseline, or of another program. Nothing was written.",
    );
  }
  const unknown = contents.migrations.filter(({ createdAt, hash }) => own.get(createdAt) !== hash);
  if (unknown.length === 0 && compareSql(release, contents.sqlSets) !== "newer") return;
  const version = contents.sqlSets.at(-1)?.version ?? "unknown";
  throw new DatabaseRefused(
    `The backup is of a newer release than this one (its version is ${version}). Restore it with that release. ` +
      "Nothing was written.",
  );
}

import { readFileSync } from "node:fs";
import path from "node:path";

export const CHANGELOG = path.join(import.meta.dir, "../../CHANGELOG.md");
const UNRELEASED = "## [Unreleased]\n";

export const readChangelog = (): string => readFileSync(CHANGELOG, "utf8");

/** What is under a release's heading; empty if there is none. */
export function sectionOf(changelog: string, release: string): string {
  const [, after = ""] = changelog.split(`## [${release}]`);
  const [, text = ""] = /^[^\n]*\n(.*?)(?=\n## \[|$(?![\s\S]))/s.exec(after) ?? [];
  return text.trim();
}

/**
 * Gives the unreleased changes their release, and begins an empty list.
 * @param date as "2026-11-23". @throws if there are no unreleased changes, or there is such a release.
 */
export function releaseChanges(
  changelog: string,
  { version, date }: { version: string; date: string },
): string {
  if (sectionOf(changelog, "Unreleased") === "") throw new Error("CHANGELOG.md has no unreleased changes");
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has ${version} already`);
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

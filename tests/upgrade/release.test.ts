import { expect, test } from "bun:test";
import { readRelease } from "#db/upgrade/release.ts";
import { readChangelog, releaseChanges, sectionOf } from "./changelog.ts";
import { readLastContract } from "./contract.ts";

const { version } = readRelease();

const BEFORE =
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-11-23\n\n### Added\n\n- All.\n";

/**
 * What is wrong with a changelog, at a version of package.json and after a last release. A release is dated before it is tagged, and the
 * next one begins with an empty list.
 */
function listFaults(changelog: string, { current, last }: { current: string; last: string }): string[] {
  const isReleased = changelog.includes(`## [${current}]`);
  const changes = sectionOf(changelog, isReleased ? current : "Unreleased");
  const isList = /^### (Added|Changed|Deprecated|Removed|Fixed|Security|Breaking)\n/.test(changes);
  return [
    ...(sectionOf(changelog, last) === "" ? [`${last} is missing`] : []),
    ...(isList || (changes === "" && !isReleased) ? [] : ["the changes have no headings"]),
    ...(isReleased && sectionOf(changelog, "Unreleased") !== ""
      ? ["a released version has unreleased changes"]
      : []),
  ];
}

test("the changelog has the last release, and what has changed since", () => {
  expect(listFaults(readChangelog(), { current: version, last: readLastContract().version })).toEqual([]);
});

test("the changelog is in order before a release, at its tag, and when the next one begins", () => {
  const released = releaseChanges(BEFORE, { version: "0.2.0", date: "2026-12-01" });
  expect(listFaults(BEFORE, { current: "0.2.0", last: "0.1.0" })).toEqual([]);
  expect(listFaults(released, { current: "0.2.0", last: "0.1.0" })).toEqual([]);
  expect(listFaults(released, { current: "0.3.0", last: "0.2.0" })).toEqual([]);
  expect(listFaults(BEFORE, { current: "0.3.0", last: "0.2.0" })).toEqual(["0.2.0 is missing"]);
  const late = released.replace("## [Unreleased]\n", "## [Unreleased]\n\nMore.\n");
  expect(listFaults(late, { current: "0.3.0", last: "0.2.0" })).toEqual(["the changes have no headings"]);
  expect(listFaults(late, { current: "0.2.0", last: "0.1.0" })).toEqual([
    "a released version has unreleased changes",
  ]);
});

test("a release dates the unreleased changes, and begins an empty list", () => {
  const after = releaseChanges(BEFORE, { version: "0.2.0", date: "2026-12-01" });
  expect(after).toContain("## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- One.\n\n## [0.1.0]");
  expect(sectionOf(after, "0.2.0")).toBe("### Added\n\n- One.");
  expect(sectionOf(after, "0.1.0")).toBe("### Added\n\n- All.");
  expect(() => releaseChanges(after, { version: "0.3.0", date: "2026-12-02" })).toThrow(
    "no unreleased changes",
  );
  expect(() => releaseChanges(BEFORE, { version: "0.1.0", date: "2026-12-02" })).toThrow("has 0.1.0 already");
});

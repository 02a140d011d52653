import { expect, test } from "bun:test";
import { readRelease } from "#db/upgrade/release.ts";
import { renamed } from "#src/settings/renamed.ts";
import { readChangelog, releaseChanges, sectionOf } from "./changelog.ts";
import { readLastContract } from "./contract.ts";

const { version } = readRelease();

test("the changelog has the last release, and what has changed since", () => {
  const changelog = readChangelog();
  expect(sectionOf(changelog, readLastContract().version)).not.toBe("");
  expect(sectionOf(changelog, "Unreleased")).toMatch(
    /^### (Added|Changed|Deprecated|Removed|Fixed|Security|Breaking)\n/,
  );
  expect(changelog).not.toContain(`[${version}]`);
});

test("every deprecated setting is in the changelog, and none is due to go with this release", () => {
  for (const { from, until } of renamed) {
    expect(readChangelog()).toContain(`- \`${from}\``);
    expect(Bun.semver.order(until, version)).toBe(1);
  }
});

test("a release dates the unreleased changes, and begins an empty list", () => {
  const before =
    "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-11-23\n\nFirst.\n";
  const after = releaseChanges(before, { version: "0.2.0", date: "2026-12-01" });
  expect(after).toContain("## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- One.\n\n## [0.1.0]");
  expect(sectionOf(after, "0.2.0")).toBe("### Added\n\n- One.");
  expect(sectionOf(after, "0.1.0")).toBe("First.");
  expect(() => releaseChanges(after, { version: "0.3.0", date: "2026-12-02" })).toThrow(
    "no unreleased changes",
  );
  expect(() => releaseChanges(before, { version: "0.1.0", date: "2026-12-02" })).toThrow("has 0.1.0 already");
});

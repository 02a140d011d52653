import { renamed } from "#src/settings/renamed.ts";

/** The former names of settings that must be gone in this release. */
export function dueSettings(version: string): string[] {
  return renamed.filter(({ until }) => Bun.semver.order(until, version) <= 0).map(({ from }) => from);
}

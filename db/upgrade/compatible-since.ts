/**
 * The oldest release whose processes can work with this release's tables and functions, for as long as an upgrade takes. It is the
 * release before this one. Only a release that says so in CHANGELOG.md may break with it, and is then installed while nothing runs.
 * tests/upgrade proves it, with what db/releases says about that release.
 */
export const COMPATIBLE_SINCE = "0.4.0";

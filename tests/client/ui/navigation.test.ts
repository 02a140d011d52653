import { expect, test } from "bun:test";
import { playNavigation } from "#client/ui/navigation.ts";
import { buildViewer } from "#tests/client/events/action-states.ts";

const show = { slug: "derby" };
const namesFor = (changes: Parameters<typeof buildViewer>[0], session: typeof show | null = show) =>
  playNavigation(buildViewer(changes), session).map(({ label, path }) => `${label} ${path}`);
const forAll = ["Join by code /join", "Shared links /shares"];

test("the menu leads players to what is theirs, of the open session too, guests to what they may read, and admins by their own", () => {
  expect(namesFor({})).toEqual([
    "History /sessions/derby/history",
    "Leaders /sessions/derby/leaders",
    "Wallet /profile/wallet",
    ...forAll,
  ]);
  expect(namesFor({}, null)).toEqual(["Wallet /profile/wallet", ...forAll]);
  expect(namesFor({ guest: true })).toEqual(forAll);
  expect(namesFor({ roles: ["admin"] })).toEqual([]);
});

import type { Statement } from "./statements.ts";

const navigation = "tests/ssr/navigation.test.ts";
const game = "tests/ssr/game-screens.test.ts";
const resolve = "tests/events/resolve-event.test.ts";
const resolvedEvent = "resolving an open event closes it first and pays the pool to the winning side";
const wonAndLost = "%s counts the events in the columns Won and Lost";

/** The statements of chapter 1 of the specification, what the product does and for whom, by number. */
export const productStatements: Readonly<Record<string, Statement>> = {
  "1.01": {
    says: "users place calls on events",
    test: ["tests/calls/routes.test.ts", "placing a call returns the call and the wallet after it"],
  },
  "1.02": {
    says: "an event has exactly two sides, labelled true and false",
    test: [game, "has exactly two sides, labelled True and False"],
  },
  "1.03": {
    says: "You think, on the true side",
    test: [game, "says You think on the true side, and only there"],
  },
  "1.04": { says: "calls are resolved", test: [resolve, resolvedEvent] },
  "1.05": { says: "spots are resolved", test: [resolve, resolvedEvent] },
  "1.06": {
    says: "a result is shown",
    test: [game, "the action screen shows the last result to those who called it, and to those who did not"],
  },
  "1.07": { says: "the leaderboard shows a count of Won", test: [game, wonAndLost] },
  "1.08": { says: "and of Lost", test: [game, wonAndLost] },
  "1.09": {
    says: "every user has a wallet with balances",
    test: ["tests/wallet/routes.test.ts", "a wallet has its balance, what is held, and the player's metrics"],
  },
  "1.10": {
    says: "a profile with an avatar",
    test: [game, "the profile has the avatar, the name and the balance"],
  },
  "1.11": { says: "notifications", test: [game, "a player's notifications are on every page"] },
  "1.12": {
    says: "the user's calls",
    test: [
      "tests/profiles/routes.test.ts",
      "the own profile has the wallet, the calls newest first, and the joined sessions",
    ],
  },
  "1.13": { says: "a chat", test: [game, "the chat shows what was said, and takes a message"] },
  "1.14": {
    says: "a call history",
    test: [game, "the call history has the player's calls, and nobody else's"],
  },
  "1.15": {
    says: "payments",
    test: ["tests/ssr/deposit.test.ts", "without script a player pays in: form, checkout, wallet"],
  },
  "1.16": {
    says: "admins manage blueprints",
    test: ["tests/ssr/blueprints.test.ts", "is created by a plain form, which redirects to its actions"],
  },
  "1.17": {
    says: "admins manage sessions",
    test: [
      "tests/ssr/show-pages.test.ts",
      "without script an admin creates a session, sees its errors, edits and deletes it",
    ],
  },
  "1.18": {
    says: "admins manage the leaderboard",
    test: [
      "tests/ssr/leaders.test.ts",
      "an excluded player sees the reason on the leaders, the leaderboard and the own record",
    ],
  },
  "1.19": {
    says: "admins manage users",
    test: [
      "tests/ssr/users.test.ts",
      "an admin deactivates and reactivates an account, and changes its roles, without script",
    ],
  },
  "1.20": {
    says: "admins see further tabs of a session",
    test: [navigation, "%s sees exactly these tabs of the session, in this order"],
  },
  "1.21": {
    says: "and further navigation",
    test: [navigation, "%s sees exactly these items of the top navigation"],
  },
  "1.22": {
    says: "players have a profile page",
    test: ["tests/ssr/routes.test.ts", "%s has the heading %p and the flags %p"],
  },
  "1.23": {
    says: "and take part in sessions",
    test: [
      "tests/calls/place-call.test.ts",
      "a call holds the wager, joins the pool and registers the player in the session",
    ],
  },
  "1.24": {
    says: "guests finish their account before they see the rest of the site",
    test: [
      "tests/ssr/page-guards.test.ts",
      "a guest sees the action and is redirected to /guest from all other pages",
    ],
  },
  "1.25": {
    says: "English only",
    test: [
      "tests/ssr/page.test.ts",
      "a page is in English, with money and times in one format, whatever languages the browser prefers",
    ],
  },
  "1.26": {
    says: "sessions are generated from blueprints",
    test: [
      "tests/blueprints/generate-session.test.ts",
      "events are copied by value as drafts, each with two spots",
    ],
  },
  "1.27": {
    says: "their events are timed",
    test: [
      "tests/timers/perform-transition.test.ts",
      "an alarm closes its event with the same effects as an admin's close",
    ],
  },
};

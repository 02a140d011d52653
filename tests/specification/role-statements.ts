import type { NamedTest, Statement } from "./statements.ts";

const routes = "tests/ssr/routes.test.ts";
const navigation = "tests/ssr/navigation.test.ts";
const guestPages: NamedTest = [
  "tests/ssr/page-guards.test.ts",
  "a guest sees the action and is redirected to /guest from all other pages",
];

/** The statements of chapter 6 of the specification, roles and permissions, by number. */
export const roleStatements: Readonly<Record<string, Statement>> = {
  "6.01": {
    says: "whose roles list contains admin is an admin",
    test: ["tests/http/admin-role.test.ts", "a user with the roles %j is an admin: %p"],
    also: [routes, "%s has the heading %p and the flags %p"],
  },
  "6.02": {
    says: "there is a guest flag",
    test: [
      "tests/sign-ins/authenticate.test.ts",
      "a guest is refused where an account is needed, with the code guest",
    ],
    also: ["tests/ssr/page.test.ts", "a page of a guest has the flag of a guest"],
  },
  "6.03": {
    says: "routes that require auth are for admins; the navigation of others is cancelled",
    test: ["tests/client/guard.test.ts", "a player's navigation to %s is cancelled, an admin's is not"],
    also: [routes, "%s has the heading %p and the flags %p"],
  },
  "6.04": {
    says: "guests visit only routes for guests",
    test: guestPages,
    also: [routes, "%s has the heading %p and the flags %p"],
  },
  "6.05": { says: "and are sent to the guest interstitial otherwise", test: guestPages },
  "6.06": {
    says: "the tabs Admin, Leaders and Chat are for admins",
    test: [navigation, "%s sees exactly these tabs of the session, in this order"],
  },
  "6.07": {
    says: "the top navigation is for admins",
    test: [navigation, "%s sees exactly these items of the top navigation"],
  },
  "6.08": {
    says: "the API checks every request",
    test: [
      "tests/http/api-access.test.ts",
      "every endpoint has its audience in the list, and every line has its endpoint",
    ],
    also: ["tests/http/error-texts.test.ts", "an action for admins only"],
  },
};

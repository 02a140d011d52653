import type { NamedTest, Statement } from "./statements.ts";

const routes = "tests/ssr/routes.test.ts";
const guards = "tests/ssr/page-guards.test.ts";
const client = "tests/client/guard.test.ts";
const navigation = "tests/ssr/navigation.test.ts";
const screens = "tests/ssr/screens.test.ts";
const users = "tests/ssr/users-screens.test.ts";
const game = "tests/ssr/game-screens.test.ts";
const page = "tests/ssr/page.test.ts";
const named: NamedTest = ["tests/client/route-names.test.ts", "the route %s is found by its name at %s"];
const route = "%s has the heading %p and the flags %p";
const tabs = "%s sees exactly these tabs of the session, in this order";
const topItems = "%s sees exactly these items of the top navigation";
const userItems = "%s sees exactly these items of the user navigation";
const facts = "has the email, username, phone, date of creation and wallet";
const wonAndLost = "%s counts the events in the columns Won and Lost";
const emailAndAvatar = "of %s has the user's email and avatar";

/** The statements of chapter 2 of the specification, screens and routes, by number. */
export const screenStatements: Readonly<Record<string, Statement>> = {
  "2.01": {
    says: "/ redirects to /blueprints",
    test: [routes, "/ redirects to the blueprints, and those who may not open them to the sessions"],
  },
  "2.02": {
    says: "/guest, guestInterstitial, is for guests",
    test: [routes, "/guest is for guests only"],
    also: named,
  },
  "2.03": { says: "/sessions: redirectActive, not for guests", test: [routes, route], also: named },
  "2.04": {
    says: "/sessions/:slug has pages below it",
    test: [routes, "%s has the session's name and tabs"],
    also: named,
  },
  "2.05": {
    says: "its own path is the action, which guests may open",
    test: [routes, "the path of a session is its action, which guests may open too"],
    also: named,
  },
  "2.06": {
    says: "an admin who comes from nowhere lands on its Admin tab",
    test: [guards, "from an outside page or from the sessions is redirected to the session's admin page"],
  },
  "2.07": {
    says: "and so does one who comes from the list of sessions",
    test: [client, "from the list of sessions lands on its Admin tab"],
    also: [guards, "from an outside page or from the sessions is redirected to the session's admin page"],
  },
  "2.08": {
    says: "but not one who comes from a tab",
    test: [client, "from the tab %s sees the action"],
    also: [guards, "from a tab of the session sees it"],
  },
  "2.09": {
    says: "/sessions/:slug/join, sessionRegistration: redirectActive",
    test: [
      routes,
      "the join page takes a player who has joined to the action, while a session is active or not",
    ],
    also: named,
  },
  "2.10": { says: "/sessions/:slug/leaders", test: [routes, route], also: named },
  "2.11": { says: "/sessions/:slug/chat: redirectActive", test: [routes, route], also: named },
  "2.12": { says: "/sessions/:slug/history", test: [routes, route], also: named },
  "2.13": { says: "/sessions/:slug/admin requires auth", test: [routes, route], also: named },
  "2.14": { says: "/sessions/:id/edit requires auth", test: [routes, route], also: named },
  "2.15": { says: "/sessions/new requires auth, and is no slug", test: [routes, route], also: named },
  "2.16": { says: "/profile", test: [routes, route], also: named },
  "2.17": { says: "/profile/account, not for guests", test: [routes, route] },
  "2.18": { says: "/profile/avatar", test: [routes, route] },
  "2.19": { says: "/profile/wallet", test: [routes, route] },
  "2.20": { says: "/profile/details", test: [routes, route] },
  "2.21": { says: "/blueprints requires auth", test: [routes, route], also: named },
  "2.22": {
    says: "/blueprints/:id requires auth",
    test: [routes, route],
    also: [
      "tests/ssr/blueprint-page.test.ts",
      "creates a session with a start in the viewer's time zone, and redirects to it",
    ],
  },
  "2.23": {
    says: "/blueprints/:id/edit requires auth",
    test: [routes, route],
    also: [screens, "of a blueprint asks for its name and description"],
  },
  "2.24": { says: "/blueprints/new requires auth", test: [routes, route] },
  "2.25": { says: "/leaderboard: redirectActive", test: [routes, route], also: named },
  "2.26": { says: "a leaderboard detail screen", test: [routes, route] },
  "2.27": { says: "/users: redirectActive", test: [routes, route], also: named },
  "2.28": { says: "/users/:id: redirectActive", test: [routes, route], also: named },
  "2.29": { says: "/users/sign_in", test: [routes, "/users/sign_in is the sign-in page, and not a user's"] },
  "2.30": {
    says: "/users/guest_registration",
    test: [routes, "/users/guest_registration completes a guest's account, and creates one for others"],
  },
  "2.31": {
    says: "/dashboard is an item that nobody sees",
    test: [navigation, userItems],
    also: ["tests/client/navigation.test.ts", "never the dashboard, whatever the roles"],
  },
  "2.32": { says: "tabs: Admin, Action, Leaders, Chat, History", test: [navigation, tabs] },
  "2.33": { says: "Admin only for admins", test: [navigation, tabs] },
  "2.34": { says: "Leaders only for admins", test: [navigation, tabs] },
  "2.35": { says: "Chat only for admins", test: [navigation, tabs] },
  "2.36": { says: "Action and History for all", test: [navigation, tabs] },
  "2.37": { says: "Welcome, guest user!", test: [screens, "welcomes them"] },
  "2.38": {
    says: "To view the rest of the site, you need to finish creating your account.",
    test: [screens, "says why they are here"],
  },
  "2.39": {
    says: "a Create Account button to /users/guest_registration",
    test: [screens, "has a Create Account button that leads to the registration"],
  },
  "2.40": {
    says: "list of users: the columns Id, Email, Actions",
    test: [users, "is a table with the columns Id, Email and Actions"],
  },
  "2.41": { says: "a View link to each user", test: [users, "has a View link to the page of each user"] },
  "2.42": {
    says: "Loading... while it loads",
    test: [
      "tests/client/users/users-loading.test.tsx",
      "the list of users says Loading... until its data is there, and again on the way to its next page",
    ],
    also: [
      "tests/browser/slow-pages.spec.ts",
      "on the way to a page whose data is slow the page opens and says Loading...; searching keeps the page",
    ],
  },
  "2.43": { says: "page of a user: the email", test: [users, facts] },
  "2.44": {
    says: "the avatar",
    test: [users, "has the avatar: the picture, or the first letters of the name"],
  },
  "2.45": { says: "the date of creation", test: [users, facts] },
  "2.46": { says: "the phone", test: [users, facts] },
  "2.47": { says: "the username", test: [users, facts] },
  "2.48": { says: "the wallet", test: [users, facts] },
  "2.49": { says: "a link Back to Users", test: [users, "has a link Back to Users"] },
  "2.50": { says: "a page has a title area", test: [screens, "a title area: $path"] },
  "2.51": { says: "an area for actions", test: [screens, "an area for actions beside the title: $path"] },
  "2.52": { says: "and a body", test: [screens, "a body after both: $path"] },
  "2.53": {
    says: "top navigation, only for admins: Blueprints to /blueprints",
    test: [navigation, topItems],
  },
  "2.54": { says: "Sessions to /sessions", test: [navigation, topItems] },
  "2.55": { says: "Leaderboard to /leaderboard", test: [navigation, topItems] },
  "2.56": { says: "Users to /users", test: [navigation, topItems] },
  "2.57": {
    says: "user navigation: Profile to /profile for all who are signed in",
    test: [navigation, userItems],
  },
  "2.58": {
    says: "Dashboard to /dashboard, disabled",
    test: [
      "tests/client/navigation.test.ts",
      "the user navigation has Profile for everybody, and Dashboard, which is disabled",
    ],
    also: [navigation, userItems],
  },
  "2.59": {
    says: "admins see every item that is not disabled",
    test: ["tests/client/navigation.test.ts", "as an admin, every item that is not disabled"],
    also: [navigation, userItems],
  },
  "2.60": {
    says: "others see those that are not for admins only either",
    test: [
      "tests/client/navigation.test.ts",
      "with the roles %j, no item that is disabled or for admins only",
    ],
    also: [navigation, userItems],
  },
  "2.61": {
    says: "the logo leads to /sessions",
    test: [navigation, "for %s the logo leads to the sessions"],
    also: [navigation, "for %s the logo of %s leads to the sessions too"],
  },
  "2.62": {
    says: "mobile menu: the navigation",
    test: [navigation, "of %s repeats the items of the top navigation"],
  },
  "2.63": { says: "the user's email", test: [navigation, emailAndAvatar] },
  "2.64": { says: "an avatar", test: [navigation, emailAndAvatar] },
  "2.65": { says: "a notifications button", test: [navigation, "has a button that opens the notifications"] },
  "2.66": { says: "the user navigation", test: [navigation, userItems] },
  "2.67": {
    says: "Logout, which signs the user out",
    test: [navigation, "has a Logout button, whose form signs the user out"],
  },
  "2.68": {
    says: "events together are called Action",
    test: [game, "calls the live screen Action in the session's tabs"],
  },
  "2.69": { says: "New Action", test: [game, "calls a new event New Action"] },
  "2.70": { says: "Ask", test: [game, "has a button Ask, which asks the players at once"] },
  "2.71": {
    says: "scores together are called Leaderboard",
    test: [game, "the table of all sessions is called Leaderboard"],
  },
  "2.72": { says: "Won", test: [game, wonAndLost] },
  "2.73": { says: "Lost", test: [game, wonAndLost] },
  "2.74": {
    says: "pages: First, Last, Next, Prev",
    test: [users, "has pages with the links First, Prev, Next and Last"],
    also: [users, "disables the links that lead nowhere, and keeps their labels"],
  },
  "2.75": {
    says: "page metadata: the active session",
    test: [page, "in its meta tags"],
    also: ["tests/client/page.test.ts", "the app starts from the page's metadata"],
  },
  "2.76": {
    says: "the anti-forgery token",
    test: [page, "its anti-forgery token differs each time and is valid for this sign-in"],
  },
  "2.77": {
    says: "the name of its parameter",
    test: [page, "and a form is accepted with that token under the name that the page gives"],
  },
  "2.78": {
    says: "the user's values",
    test: [page, "in its meta tags"],
    also: ["tests/client/page.test.ts", "the app starts from the page's metadata"],
  },
  "2.79": {
    says: "data attributes on the root element of the app",
    test: [page, "and on the app's root element, which is not marked live before its script runs"],
  },
  "2.80": { says: "a screen for an event", test: [game, "has its question on the action screen"] },
  "2.81": {
    says: "a form for sessions",
    test: [screens, "of a session asks for its name, description and start"],
  },
  "2.82": {
    says: "a form for blueprints",
    test: [screens, "of a blueprint asks for its name and description"],
  },
  "2.83": { says: "a chat", test: [game, "the chat shows what was said, and takes a message"] },
  "2.84": {
    says: "a call history",
    test: [game, "the call history has the player's calls, and nobody else's"],
  },
};

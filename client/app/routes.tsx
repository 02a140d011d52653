import { data, redirect, type RouteObject } from "react-router";
import * as words from "#client/base/format/words.ts";
import { withErrorResponses } from "#client/base/page/error-responses.ts";
import { guard } from "#client/base/page/guard.ts";
import { loadFrame } from "#client/base/page/load-frame.ts";
import { accountRoutes } from "./account-routes.ts";
import { App, AppWithoutData } from "./app.tsx";
import { accountScreen, adminScreen, playerScreen, signInScreen } from "./chunks.ts";
import { ErrorScreen } from "./frame/error-screen.tsx";
import { goHome } from "./go-home.ts";
import { screen } from "./screen.ts";
import { sessionRoutes } from "./session-routes.ts";

/** Every path of the product, its screen, who may open it (`flags`: guard.ts) and what it reads (`reads`: handle.ts). */
const screens: RouteObject[] = [
  { path: "/", middleware: [guard({ guest: true })], loader: withErrorResponses(goHome) },
  ...accountRoutes,
  {
    path: "/notifications",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/sessions"),
    // Only a page without JavaScript sends it, so its code is elsewhere.
    action: withErrorResponses(async (args) =>
      (await import("./account-screens.ts")).actOnNotifications(args),
    ),
  },
  screen({
    path: "/users/sign_out",
    title: words.leave,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("LeaveScreen"),
  }),
  screen({
    path: "/shares",
    title: "Shared links",
    heading: words.profile,
    flags: { guest: true },
    reads: {},
    screen: accountScreen("SharesScreen"),
  }),
  screen({
    path: "/shared/:token",
    title: "Shared",
    flags: { open: true },
    reads: {},
    screen: accountScreen("SharedScreen"),
  }),
  screen({
    path: "/seasons/:slug",
    title: "Season",
    heading: words.leaderboard,
    flags: { open: true },
    reads: {},
    screen: playerScreen("SeasonScreen"),
  }),
  screen({
    path: "/terms",
    title: words.terms,
    heading: words.terms,
    flags: { open: true },
    reads: {},
    screen: signInScreen("TermsScreen"),
  }),
  screen({
    path: "/sessions",
    name: "sessions",
    title: words.sessions,
    flags: { redirectActive: true },
    reads: {},
    screen: playerScreen("SessionsScreen"),
  }),
  screen({
    path: "/sessions/new",
    name: "create",
    title: words.newSession,
    heading: words.sessions,
    flags: { admin: true },
    reads: {},
    screen: adminScreen("NewSessionScreen"),
  }),
  screen({
    path: "/sessions/:slug/edit",
    name: "edit",
    title: "Edit session",
    heading: words.sessions,
    reads: { session: true },
    carriesFile: true,
    screen: adminScreen("EditSessionScreen"),
  }),
  screen({
    path: "/sessions/:slug/remind",
    title: words.remindMe,
    heading: words.sessions,
    flags: { open: true },
    reads: {},
    screen: playerScreen("RemindScreen"),
  }),
  sessionRoutes,
  ...(
    [
      { path: "/blueprints", name: "blueprints", title: words.blueprints, code: "BlueprintsScreen" },
      { path: "/blueprints/new", title: "New blueprint", code: "NewBlueprintScreen", carriesFile: true },
      { path: "/blueprints/:id", title: words.blueprint, code: "BlueprintScreen", carriesFile: true },
      {
        path: "/blueprints/:id/edit",
        title: "Edit blueprint",
        code: "EditBlueprintScreen",
        carriesFile: true,
      },
      { path: "/blueprints/:id/dry_run", title: words.dryRun, code: "DryRunScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({
      ...row,
      heading: words.blueprints,
      flags: { admin: true },
      reads: {},
      screen: adminScreen(code),
    }),
  ),
  screen({
    path: "/leaderboard",
    name: "leaderboard",
    title: words.leaderboard,
    flags: { redirectActive: true },
    reads: {},
    screen: playerScreen("LeaderboardScreen"),
  }),
  screen({
    path: "/leaderboard/:userId",
    title: words.record,
    heading: words.leaderboard,
    flags: { redirectActive: true },
    reads: {},
    screen: playerScreen("ScoreScreen"),
  }),
  ...(
    [
      { path: "/profile", name: "profile", title: words.profile, code: "ProfileScreen" },
      { path: "/profile/avatar", title: words.picture, code: "AvatarScreen", carriesFile: true },
      { path: "/profile/details", title: words.details, code: "DetailsScreen" },
      { path: "/profile/account", title: words.account, code: "AccountScreen" },
      { path: "/profile/wallet/payments", title: words.payments, code: "PaymentsScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, heading: words.profile, reads: {}, screen: accountScreen(code) }),
  ),
  screen({
    path: "/profile/wallet",
    title: words.wallet,
    heading: words.profile,
    reads: { list: "transactions" },
    screen: accountScreen("WalletScreen"),
  }),
  {
    path: "/profile/wallet/top_up",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/profile/wallet"),
    action: withErrorResponses(async (args) => (await import("./account-screens.ts")).topUp(args)),
  },
  screen({
    path: "/checkout/:reference",
    title: "Checkout",
    layout: "bare",
    reads: {},
    screen: accountScreen("CheckoutScreen"),
  }),
  // Its loader answers 404 to everybody but admins and operators.
  screen({
    path: "/admin",
    title: words.operations,
    flags: { open: true },
    reads: {},
    screen: adminScreen("OperationsScreen"),
  }),
  ...(
    [
      { path: "/admin/webhooks", title: words.webhooks, code: "WebhooksScreen" },
      { path: "/admin/seasons", title: words.seasons, code: "SeasonsScreen" },
      { path: "/profile/tokens", title: words.tokens, heading: words.profile, code: "AccessTokensScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, flags: { admin: true }, reads: {}, screen: adminScreen(code) }),
  ),
  screen({
    path: "/admin/books",
    title: words.books,
    flags: { staff: true },
    reads: {},
    screen: adminScreen("BooksScreen"),
  }),
  screen({
    path: "/users",
    name: "users",
    title: words.users,
    flags: { admin: true, redirectActive: true },
    reads: {},
    screen: adminScreen("UsersScreen"),
  }),
  screen({
    path: "/users/:id",
    name: "user",
    title: "User",
    heading: words.users,
    flags: { admin: true, redirectActive: true },
    reads: {},
    screen: adminScreen("UserScreen"),
  }),
  {
    path: "*",
    loader: () => {
      throw data(null, { status: 404 });
    },
  },
];

/** All paths inside the frame. A screen's error is shown inside the frame too, so that the navigation stays usable. */
export const routes: RouteObject[] = [
  {
    id: "app",
    loader: withErrorResponses(loadFrame),
    Component: App,
    ErrorBoundary: AppWithoutData,
    children: [{ id: "screens", ErrorBoundary: ErrorScreen, children: screens }],
  },
];

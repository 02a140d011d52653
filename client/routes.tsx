import { data, redirect, type RouteObject } from "react-router";
import { accountRoutes } from "./account-routes.ts";
import { actOnAction } from "./action/act-on-action.ts";
import { ActionScreen } from "./action/action-screen.tsx";
import { loadAction } from "./action/load-action.ts";
import { App, AppWithoutData } from "./app.tsx";
import { accountScreen, adminScreen, playerScreen, replayScreen, stageScreen } from "./chunks.ts";
import { withErrorResponses } from "./error-responses.ts";
import { ErrorScreen } from "./frame/error-screen.tsx";
import * as say from "./frame/frame-texts.ts";
import { SESSION_ROUTE } from "./frame/use-here.ts";
import { goHome } from "./go-home.ts";
import { guard } from "./guard.ts";
import { loadFrame } from "./load-frame.ts";
import { actOnNotifications } from "./notifications/act-on-notifications.ts";
import { screen } from "./screen.ts";
import { loadSession, sessionChanged } from "./sessions/load-session.ts";
import { topUp } from "./wallet/send-top-up.ts";

/** Every path of the product, its screen, its data and who may open it. The flags are explained in guard.ts. */
const screens: RouteObject[] = [
  { path: "/", middleware: [guard({ guest: true })], loader: goHome },
  ...accountRoutes,
  {
    path: "/notifications",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/sessions"),
    action: withErrorResponses(actOnNotifications),
  },
  screen({
    path: "/users/sign_out",
    title: say.leave,
    layout: "bare",
    flags: { open: true },
    screen: accountScreen("LeaveScreen"),
  }),
  screen({
    path: "/shares",
    title: say.sharedLinks,
    heading: say.profile,
    flags: { guest: true },
    screen: accountScreen("SharesScreen"),
  }),
  screen({
    path: "/shared/:token",
    title: say.shared,
    flags: { open: true },
    screen: accountScreen("SharedScreen"),
  }),
  screen({
    path: "/terms",
    title: say.terms,
    heading: say.terms,
    flags: { open: true },
    screen: accountScreen("TermsScreen"),
  }),
  screen({
    path: "/sessions",
    name: "sessions",
    title: say.sessions,
    flags: { redirectActive: true },
    screen: playerScreen("SessionsScreen"),
  }),
  screen({
    path: "/sessions/new",
    name: "create",
    title: say.newSession,
    heading: say.sessions,
    flags: { admin: true },
    screen: adminScreen("NewSessionScreen"),
  }),
  screen({
    path: "/sessions/:id/edit",
    name: "edit",
    title: say.editSession,
    heading: say.sessions,
    flags: { admin: true },
    screen: adminScreen("EditSessionScreen"),
  }),
  {
    id: SESSION_ROUTE,
    loader: withErrorResponses(loadSession),
    shouldRevalidate: sessionChanged,
    children: [
      screen({
        path: "/sessions/:slug",
        name: "action",
        title: "",
        layout: "play",
        flags: { guest: true, watch: true, adminsLandOn: "/admin" },
        loader: loadAction,
        action: actOnAction,
        screen: ActionScreen,
      }),
      screen({
        path: "/sessions/:slug/admin",
        name: "admin",
        title: say.admin,
        flags: { admin: true },
        screen: adminScreen("ShowScreen"),
      }),
      ...(
        [
          { path: "/sessions/:slug/history", name: "history", title: say.callHistory, code: "HistoryScreen" },
          { path: "/sessions/:slug/history/:callId", title: say.receipt, code: "HistoryScreen" },
          {
            path: "/sessions/:slug/events/:eventId",
            title: say.settlement,
            code: "SettlementScreen",
          },
          { path: "/sessions/:slug/join", name: "sessionRegistration", title: say.join, code: "JoinScreen" },
          { path: "/sessions/:slug/leaders", name: "leaders", title: say.leaders, code: "LeadersScreen" },
        ] as const
      ).map(({ code, ...row }) => screen({ ...row, screen: playerScreen(code) })),
      screen({
        path: "/sessions/:slug/chat",
        name: "chat",
        title: say.chat,
        flags: { redirectActive: true },
        screen: playerScreen("ChatScreen"),
      }),
      // The same chat for browsers without script, to which the action screen has a link.
      screen({
        path: "/sessions/:slug/live_chat",
        title: say.liveChat,
        flags: { redirectActive: "withScript" },
        screen: playerScreen("LiveChatScreen"),
      }),
      screen({
        path: "/sessions/:slug/stage",
        title: say.bigScreen,
        layout: "stage",
        flags: { guest: true, watch: true },
        screen: stageScreen,
      }),
      screen({
        path: "/sessions/:slug/replay",
        title: say.replay,
        flags: { guest: true },
        screen: replayScreen,
      }),
    ],
  },
  ...(
    [
      { path: "/blueprints", name: "blueprints", title: say.blueprints, code: "BlueprintsScreen" },
      { path: "/blueprints/new", title: say.newBlueprint, code: "NewBlueprintScreen" },
      { path: "/blueprints/:id", title: say.blueprint, code: "BlueprintScreen" },
      { path: "/blueprints/:id/edit", title: say.editBlueprint, code: "EditBlueprintScreen" },
      { path: "/blueprints/:id/dry_run", title: say.dryRun, code: "DryRunScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, heading: say.blueprints, flags: { admin: true }, screen: adminScreen(code) }),
  ),
  screen({
    path: "/leaderboard",
    name: "leaderboard",
    title: say.leaderboard,
    flags: { redirectActive: true },
    screen: playerScreen("LeaderboardScreen"),
  }),
  screen({
    path: "/leaderboard/:userId",
    title: say.record,
    heading: say.leaderboard,
    flags: { redirectActive: true },
    screen: playerScreen("ScoreScreen"),
  }),
  ...(
    [
      { path: "/profile", name: "profile", title: say.profile, code: "ProfileScreen" },
      { path: "/profile/avatar", title: say.picture, code: "AvatarScreen" },
      { path: "/profile/details", title: say.details, code: "DetailsScreen" },
      { path: "/profile/account", title: say.account, code: "AccountScreen" },
      { path: "/profile/wallet", title: say.wallet, code: "WalletScreen" },
      { path: "/profile/wallet/payments", title: say.payments, code: "PaymentsScreen" },
    ] as const
  ).map(({ code, ...row }) => screen({ ...row, heading: say.profile, screen: accountScreen(code) })),
  {
    path: "/profile/wallet/top_up",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/profile/wallet"),
    action: withErrorResponses(topUp),
  },
  screen({
    path: "/checkout/:reference",
    title: say.checkout,
    layout: "bare",
    screen: accountScreen("CheckoutScreen"),
  }),
  // Its loader answers 404 to everybody but admins and operators.
  screen({
    path: "/admin",
    title: say.operations,
    flags: { open: true },
    screen: adminScreen("OperationsScreen"),
  }),
  ...(
    [
      { path: "/admin/webhooks", title: say.webhooks, code: "WebhooksScreen" },
      { path: "/profile/tokens", title: say.tokens, heading: say.profile, code: "AccessTokensScreen" },
    ] as const
  ).map(({ code, ...row }) => screen({ ...row, flags: { admin: true }, screen: adminScreen(code) })),
  screen({
    path: "/admin/books",
    title: say.books,
    flags: { staff: true },
    screen: adminScreen("BooksScreen"),
  }),
  screen({
    path: "/users",
    name: "users",
    title: say.users,
    flags: { admin: true, redirectActive: true },
    screen: adminScreen("UsersScreen"),
  }),
  screen({
    path: "/users/:id",
    name: "user",
    title: say.user,
    heading: say.users,
    flags: { admin: true, redirectActive: true },
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

import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  type RouteObject,
} from "react-router";
import { withErrorResponses } from "#client/base/api/error-responses.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { guard, redirectToActiveSession } from "#client/base/page/guard.ts";
import { loadFrame } from "#client/base/page/load-frame.ts";
import { loadSession, sessionChanged } from "#client/sessions/load-session.ts";
import * as say from "#client/ui/frame-texts.ts";
import { loadAction } from "../events/load-action.ts";
import { ActionScreen } from "../screens/action/action-screen.tsx";
import { SESSION_ROUTE } from "../ui/use-here.ts";
import {
  accountScreen,
  adminScreen,
  loadPlayAsGuest,
  playerScreen,
  replayScreen,
  signInScreen,
  stageScreen,
} from "./chunks.ts";
import { ErrorScreen } from "./frame/error-screen.tsx";
import { App, AppWithoutData } from "./frame/frame.tsx";
import { screen } from "./screen.ts";

/** The pages of one session. */
const sessionRoutes: RouteObject = {
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
      reads: { session: "slug", game: true },
      loader: loadAction,
      action: act,
      screen: ActionScreen,
    }),
    screen({
      path: "/sessions/:slug/admin",
      name: "admin",
      title: say.admin,
      reads: { session: "slug" },
      screen: adminScreen("ShowScreen"),
    }),
    screen({
      path: "/sessions/:slug/history",
      name: "history",
      title: say.callHistory,
      reads: { session: "slug", list: "calls" },
      screen: playerScreen("HistoryScreen"),
    }),
    ...(
      [
        {
          path: "/sessions/:slug/history/:callId",
          title: say.receipt,
          code: "HistoryScreen",
          flags: { guest: true },
        },
        {
          path: "/sessions/:slug/events/:eventId",
          title: say.settlement,
          code: "SettlementScreen",
          flags: { guest: true },
        },
        {
          path: "/sessions/:slug/join",
          name: "sessionRegistration",
          title: say.join,
          code: "JoinScreen",
          flags: { redirectActive: true },
        },
        { path: "/sessions/:slug/leaders", name: "leaders", title: say.leaders, code: "LeadersScreen" },
      ] as const
    ).map(({ code, ...row }) => screen({ ...row, reads: { session: "slug" }, screen: playerScreen(code) })),
    screen({
      path: "/sessions/:slug/chat",
      name: "chat",
      title: say.chat,
      flags: { redirectActive: true },
      reads: { session: "slug" },
      screen: playerScreen("ChatScreen"),
    }),
    // The same chat for browsers without JavaScript, to which the action screen has a link.
    screen({
      path: "/sessions/:slug/live_chat",
      title: say.liveChat,
      flags: { redirectActive: "withJavaScript" },
      reads: { session: "slug" },
      screen: playerScreen("LiveChatScreen"),
    }),
    screen({
      path: "/sessions/:slug/stage",
      title: say.bigScreen,
      layout: "stage",
      flags: { guest: true, watch: true },
      reads: { session: "slug", game: true },
      screen: stageScreen,
    }),
    screen({
      path: "/sessions/:slug/replay",
      title: say.replay,
      flags: { guest: true },
      reads: { session: "slug" },
      screen: replayScreen,
    }),
  ],
};

/** How a visitor signs in, joins by a code, plays as a guest, registers, and gets back into an account. */
const accountRoutes: RouteObject[] = [
  screen({
    path: "/users/sign_in",
    title: say.signIn,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("SignInScreen"),
  }),
  screen({
    path: "/join",
    title: say.joinByCode,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("CodeScreen"),
  }),
  screen({
    path: "/guest",
    name: "guestInterstitial",
    title: say.welcome,
    layout: "bare",
    flags: { guest: true },
    reads: {},
    screen: signInScreen("GuestScreen"),
  }),
  {
    path: "/users/guest",
    loader: () => redirect("/sessions"),
    action: withErrorResponses(async (args) => (await loadPlayAsGuest())(args)),
  },
  screen({
    path: "/users/guest_registration",
    title: say.createAccount,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("RegistrationScreen"),
  }),
  ...[
    { path: "/users/password", title: say.forgotPassword },
    { path: "/users/confirmation", title: say.confirmEmail },
    { path: "/users/unlock", title: say.unlockAccount },
  ].map((row) =>
    screen({
      ...row,
      layout: "bare",
      flags: { open: true },
      reads: {},
      screen: signInScreen("MailScreen"),
    }),
  ),
  screen({
    path: "/users/password/edit",
    title: say.newPassword,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("NewPasswordScreen"),
  }),
];

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
    title: say.leave,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("LeaveScreen"),
  }),
  screen({
    path: "/shares",
    title: say.sharedLinks,
    heading: say.profile,
    flags: { guest: true },
    reads: {},
    screen: accountScreen("SharesScreen"),
  }),
  screen({
    path: "/shared/:token",
    title: say.shared,
    flags: { open: true },
    reads: {},
    screen: accountScreen("SharedScreen"),
  }),
  screen({
    path: "/seasons/:slug",
    title: say.season,
    heading: say.leaderboard,
    flags: { open: true },
    reads: {},
    screen: playerScreen("SeasonScreen"),
  }),
  screen({
    path: "/terms",
    title: say.terms,
    heading: say.terms,
    flags: { open: true },
    reads: {},
    screen: signInScreen("TermsScreen"),
  }),
  screen({
    path: "/sessions",
    name: "sessions",
    title: say.sessions,
    flags: { redirectActive: true },
    reads: {},
    screen: playerScreen("SessionsScreen"),
  }),
  screen({
    path: "/sessions/new",
    name: "create",
    title: say.newSession,
    heading: say.sessions,
    flags: { admin: true },
    reads: {},
    screen: adminScreen("NewSessionScreen"),
  }),
  screen({
    path: "/sessions/:id/edit",
    name: "edit",
    title: say.editSession,
    heading: say.sessions,
    reads: { session: "id" },
    screen: adminScreen("EditSessionScreen"),
  }),
  screen({
    path: "/sessions/:slug/remind",
    title: say.remindMe,
    heading: say.sessions,
    flags: { open: true },
    reads: {},
    screen: playerScreen("RemindScreen"),
  }),
  sessionRoutes,
  ...(
    [
      { path: "/blueprints", name: "blueprints", title: say.blueprints, code: "BlueprintsScreen" },
      { path: "/blueprints/new", title: say.newBlueprint, code: "NewBlueprintScreen" },
      { path: "/blueprints/:id", title: say.blueprint, code: "BlueprintScreen" },
      { path: "/blueprints/:id/edit", title: say.editBlueprint, code: "EditBlueprintScreen" },
      { path: "/blueprints/:id/dry_run", title: say.dryRun, code: "DryRunScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, heading: say.blueprints, flags: { admin: true }, reads: {}, screen: adminScreen(code) }),
  ),
  screen({
    path: "/leaderboard",
    name: "leaderboard",
    title: say.leaderboard,
    flags: { redirectActive: true },
    reads: {},
    screen: playerScreen("LeaderboardScreen"),
  }),
  screen({
    path: "/leaderboard/:userId",
    title: say.record,
    heading: say.leaderboard,
    flags: { redirectActive: true },
    reads: {},
    screen: playerScreen("ScoreScreen"),
  }),
  ...(
    [
      { path: "/profile", name: "profile", title: say.profile, code: "ProfileScreen" },
      { path: "/profile/avatar", title: say.picture, code: "AvatarScreen" },
      { path: "/profile/details", title: say.details, code: "DetailsScreen" },
      { path: "/profile/account", title: say.account, code: "AccountScreen" },
      { path: "/profile/wallet/payments", title: say.payments, code: "PaymentsScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, heading: say.profile, reads: {}, screen: accountScreen(code) }),
  ),
  screen({
    path: "/profile/wallet",
    title: say.wallet,
    heading: say.profile,
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
    title: say.checkout,
    layout: "bare",
    reads: {},
    screen: accountScreen("CheckoutScreen"),
  }),
  // Its loader answers 404 to everybody but admins and operators.
  screen({
    path: "/admin",
    title: say.operations,
    flags: { open: true },
    reads: {},
    screen: adminScreen("OperationsScreen"),
  }),
  ...(
    [
      { path: "/admin/webhooks", title: say.webhooks, code: "WebhooksScreen" },
      { path: "/admin/seasons", title: say.seasons, code: "SeasonsScreen" },
      { path: "/profile/tokens", title: say.tokens, heading: say.profile, code: "AccessTokensScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, flags: { admin: true }, reads: {}, screen: adminScreen(code) }),
  ),
  screen({
    path: "/admin/books",
    title: say.books,
    flags: { staff: true },
    reads: {},
    screen: adminScreen("BooksScreen"),
  }),
  screen({
    path: "/users",
    name: "users",
    title: say.users,
    flags: { admin: true, redirectActive: true },
    reads: {},
    screen: adminScreen("UsersScreen"),
  }),
  screen({
    path: "/users/:id",
    name: "user",
    title: say.user,
    heading: say.users,
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

/** Redirects "/": admins to the blueprints, guests to the live session, everybody else to the sessions. */
async function goHome({ context }: LoaderFunctionArgs): Promise<Response> {
  const page = context.get(pageContext);
  if (page.viewer?.guest === true)
    return (await redirectToActiveSession(page, context.get(apiContext))) ?? redirect("/guest");
  return redirect(page.viewer?.roles.includes("admin") === true ? "/blueprints" : "/sessions");
}

/** Only a page without JavaScript sends its forms: the browser has no code for them. */
async function act(args: ActionFunctionArgs) {
  return (await import("./screens.ts")).actOnAction(args);
}

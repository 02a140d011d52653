import { data, redirect, type RouteObject } from "react-router";
import * as words from "#client/base/format/words.ts";
import { pageContext } from "#client/base/page/context.ts";
import { actionOf, loaderOf } from "#client/base/page/error-responses.ts";
import { guard, redirectToActiveSession } from "#client/base/page/guard.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { loadFrame } from "#client/base/page/load-frame.ts";
import { loadAction } from "#client/events/load-action.ts";
import { ActionScreen } from "#client/screens/action/action-screen.tsx";
import { loadSession, sessionChanged } from "#client/sessions/load-session.ts";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
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
import { screen, screensOf } from "./screen.ts";

/** Only a page without JavaScript sends its forms: the browser has no code for them. */
async function act(args: ActionArgs) {
  return (await import("./screens.ts")).actOnAction(args);
}

/** Redirects "/": admins to the blueprints, guests to the live session, everybody else to the sessions. */
async function goHome({ api, context }: LoaderArgs): Promise<Response> {
  const page = context.get(pageContext);
  if (page.viewer?.guest === true) return (await redirectToActiveSession(page, api)) ?? redirect("/guest");
  return redirect(page.viewer?.roles.includes("admin") === true ? "/blueprints" : "/sessions");
}

const sessionRoutes: RouteObject = {
  id: SESSION_ROUTE,
  loader: loaderOf(loadSession),
  shouldRevalidate: sessionChanged,
  children: [
    screen({
      path: "/sessions/:slug",
      title: "",
      layout: "play",
      flags: { guest: true, watch: true, adminsLandOn: "/admin" },
      reads: { session: true, game: true },
      loader: loadAction,
      action: act,
      screen: ActionScreen,
    }),
    ...screensOf(adminScreen, { reads: { session: true } }, [
      { path: "/sessions/:slug/admin", title: words.admin, carriesFile: true, code: "ShowScreen" },
    ]),
    ...screensOf(playerScreen, { reads: { session: true } }, [
      { path: "/sessions/:slug/leaders", title: words.leaders, code: "LeadersScreen" },
      {
        path: "/sessions/:slug/history",
        title: "Call history",
        reads: { session: true, list: "calls" },
        code: "HistoryScreen",
      },
    ]),
    ...screensOf(playerScreen, { reads: { session: true }, flags: { guest: true } }, [
      { path: "/sessions/:slug/history/:callId", title: "Receipt", code: "HistoryScreen" },
      {
        path: "/sessions/:slug/events/:eventId",
        title: words.howThisWasSettled,
        code: "SettlementScreen",
      },
    ]),
    ...screensOf(playerScreen, { reads: { session: true }, flags: { redirectActive: true } }, [
      { path: "/sessions/:slug/join", title: words.join, code: "JoinScreen" },
      { path: "/sessions/:slug/chat", title: words.chat, code: "ChatScreen" },
      // The same chat for browsers without JavaScript, to which the action screen has a link.
      {
        path: "/sessions/:slug/live_chat",
        title: "Live chat",
        flags: { redirectActive: "withJavaScript" },
        code: "LiveChatScreen",
      },
    ]),
    ...screensOf(
      () => stageScreen,
      {
        layout: "stage",
        flags: { guest: true, watch: true, framed: true },
        reads: { session: true, game: true },
      },
      [
        { path: "/sessions/:slug/stage", title: "Big screen", code: null },
        { path: "/sessions/:slug/card", title: "Card", code: null },
      ],
    ),
    screen({
      path: "/sessions/:slug/replay",
      title: words.replay,
      flags: { guest: true },
      reads: { session: true },
      screen: replayScreen,
    }),
  ],
};

/** Every path of the product, its screen, who may open it (`flags`: guard.ts) and what it reads (`reads`: handle.ts). */
const screens: RouteObject[] = [
  { path: "/", middleware: [guard({ guest: true })], loader: loaderOf(goHome) },
  ...screensOf(signInScreen, { layout: "bare", flags: { open: true } }, [
    { path: "/users/sign_in", title: words.signIn, code: "SignInScreen" },
    { path: "/join", title: "Join a show", code: "CodeScreen" },
    { path: "/guest", title: "Welcome", flags: { guest: true }, code: "GuestScreen" },
    { path: "/users/guest_registration", title: words.createAccount, code: "RegistrationScreen" },
    { path: "/users/password", title: words.forgotYourPassword, code: "MailScreen" },
    { path: "/users/confirmation", title: words.confirmYourEmail, code: "MailScreen" },
    { path: "/users/unlock", title: words.unlockYourAccount, code: "MailScreen" },
    { path: "/users/password/edit", title: "New password", code: "NewPasswordScreen" },
    { path: "/users/sign_out", title: words.leave, code: "LeaveScreen" },
    { path: "/terms", title: words.terms, layout: "page", code: "TermsScreen" },
  ]),
  {
    path: "/users/guest",
    loader: () => redirect("/sessions"),
    action: actionOf(async (args) => (await loadPlayAsGuest())(args)),
  },
  {
    path: "/notifications",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/sessions"),
    // Only a page without JavaScript sends it, so its code is elsewhere.
    action: actionOf(async (args) => (await import("./account-screens.ts")).actOnNotifications(args)),
  },
  ...screensOf(playerScreen, { flags: { open: true } }, [
    { path: "/seasons/:slug", title: "Season", heading: words.leaderboard, code: "SeasonScreen" },
    {
      path: "/sessions/:slug/remind",
      title: words.remindMe,
      heading: words.sessions,
      code: "RemindScreen",
    },
  ]),
  ...screensOf(playerScreen, { flags: { redirectActive: true } }, [
    { path: "/sessions", title: words.sessions, code: "SessionsScreen" },
    { path: "/leaderboard", title: words.leaderboard, code: "LeaderboardScreen" },
    { path: "/leaderboard/:userId", title: words.record, heading: words.leaderboard, code: "ScoreScreen" },
  ]),
  ...screensOf(adminScreen, { heading: words.sessions }, [
    { path: "/sessions/new", title: words.newSession, flags: { admin: true }, code: "NewSessionScreen" },
    {
      path: "/sessions/:slug/edit",
      title: "Edit session",
      reads: { session: true },
      carriesFile: true,
      code: "EditSessionScreen",
    },
  ]),
  sessionRoutes,
  // Outside of its session's routes: the server does not know who opens it, and tells nothing.
  ...screensOf(adminScreen, { layout: "stage", flags: { open: true } }, [
    { path: "/sessions/:slug/dock", title: "Dock", code: "DockScreen" },
  ]),
  ...screensOf(adminScreen, { heading: words.blueprints, flags: { admin: true } }, [
    { path: "/blueprints", title: words.blueprints, code: "BlueprintsScreen" },
    { path: "/blueprints/new", title: "New blueprint", code: "NewBlueprintScreen", carriesFile: true },
    { path: "/blueprints/:id", title: words.blueprint, code: "BlueprintScreen", carriesFile: true },
    {
      path: "/blueprints/:id/edit",
      title: "Edit blueprint",
      code: "EditBlueprintScreen",
      carriesFile: true,
    },
    { path: "/blueprints/:id/dry_run", title: words.dryRun, code: "DryRunScreen" },
  ]),
  ...screensOf(accountScreen, { heading: words.profile }, [
    { path: "/shares", title: "Shared links", flags: { guest: true }, code: "SharesScreen" },
    { path: "/profile", title: words.profile, code: "ProfileScreen" },
    { path: "/profile/avatar", title: words.picture, code: "AvatarScreen", carriesFile: true },
    { path: "/profile/details", title: words.details, code: "DetailsScreen" },
    { path: "/profile/account", title: words.account, code: "AccountScreen" },
    { path: "/profile/wallet", title: words.wallet, reads: { list: "transactions" }, code: "WalletScreen" },
    { path: "/profile/wallet/payments", title: words.payments, code: "PaymentsScreen" },
    // Guests take breaks too.
    {
      path: "/profile/wallet/spending",
      title: "Limits and breaks",
      flags: { guest: true },
      code: "SpendingScreen",
    },
    {
      path: "/profile/wallet/spending/statement",
      title: "Statement",
      flags: { guest: true },
      code: "StatementScreen",
    },
  ]),
  ...screensOf(accountScreen, {}, [
    { path: "/shared/:token", title: "Shared", flags: { open: true }, code: "SharedScreen" },
    { path: "/checkout/:reference", title: "Checkout", layout: "bare", code: "CheckoutScreen" },
  ]),
  {
    path: "/profile/wallet/top_up",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/profile/wallet"),
    action: actionOf(async (args) => (await import("./account-screens.ts")).topUp(args)),
  },
  ...screensOf(adminScreen, { flags: { admin: true } }, [
    // Its loader answers 404 to everybody but admins and operators.
    { path: "/admin", title: words.operations, flags: { open: true }, code: "OperationsScreen" },
    { path: "/admin/books", title: words.books, flags: { staff: true }, code: "BooksScreen" },
    { path: "/admin/audit", title: words.audit, code: "AuditScreen" },
    { path: "/admin/webhooks", title: words.webhooks, code: "WebhooksScreen" },
    { path: "/admin/seasons", title: words.seasons, code: "SeasonsScreen" },
    { path: "/profile/tokens", title: words.tokens, heading: words.profile, code: "AccessTokensScreen" },
  ]),
  ...screensOf(adminScreen, { heading: words.users, flags: { admin: true, redirectActive: true } }, [
    { path: "/users", title: words.users, code: "UsersScreen" },
    { path: "/users/:id", title: "User", code: "UserScreen" },
  ]),
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
    loader: loaderOf(loadFrame),
    Component: App,
    ErrorBoundary: AppWithoutData,
    children: [{ id: "screens", ErrorBoundary: ErrorScreen, children: screens }],
  },
];

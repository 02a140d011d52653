import { data, redirect, type RouteObject } from "react-router";
import { actOnAction } from "./action/act-on-action.ts";
import { ActionScreen } from "./action/action-screen.tsx";
import { loadAction } from "./action/load-action.ts";
import { App, AppWithoutData } from "./app.tsx";
import { accountScreen, adminScreen, playerScreen } from "./chunks.ts";
import { withErrorResponses } from "./error-responses.ts";
import { ErrorScreen } from "./frame/error-screen.tsx";
import { SESSION_ROUTE } from "./frame/use-here.ts";
import { goHome } from "./go-home.ts";
import { guard } from "./guard.ts";
import { playAsGuest } from "./guest/play-as-guest.ts";
import { loadFrame } from "./load-frame.ts";
import { actOnNotifications } from "./notifications/act-on-notifications.ts";
import { screen } from "./screen.ts";
import { loadSession, sessionChanged } from "./sessions/load-session.ts";
import { topUp } from "./wallet/send-top-up.ts";

/** Every path of the product, its screen, its data and who may open it. The flags are explained in guard.ts. */
const screens: RouteObject[] = [
  { path: "/", middleware: [guard({ guest: true })], loader: goHome },
  screen({
    path: "/users/sign_in",
    title: "Sign in",
    layout: "bare",
    flags: { open: true },
    screen: accountScreen("SignInScreen"),
  }),
  screen({
    path: "/guest",
    name: "guestInterstitial",
    title: "Welcome",
    layout: "bare",
    flags: { guest: true },
    screen: accountScreen("GuestScreen"),
  }),
  { path: "/users/guest", loader: () => redirect("/sessions"), action: withErrorResponses(playAsGuest) },
  screen({
    path: "/users/guest_registration",
    title: "Create account",
    layout: "bare",
    flags: { open: true },
    screen: accountScreen("RegistrationScreen"),
  }),
  ...[
    { path: "/users/password", title: "Forgot your password?" },
    { path: "/users/confirmation", title: "Confirm your email" },
    { path: "/users/unlock", title: "Unlock your account" },
  ].map((row) =>
    screen({
      ...row,
      layout: "bare",
      flags: { open: true },
      screen: accountScreen("MailScreen"),
    }),
  ),
  screen({
    path: "/users/password/edit",
    title: "New password",
    layout: "bare",
    flags: { open: true },
    screen: accountScreen("NewPasswordScreen"),
  }),
  {
    path: "/notifications",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/sessions"),
    action: withErrorResponses(actOnNotifications),
  },
  screen({
    path: "/users/sign_out",
    title: "Leave",
    layout: "bare",
    flags: { open: true },
    screen: accountScreen("LeaveScreen"),
  }),
  screen({
    path: "/terms",
    title: "Terms",
    heading: "Terms",
    flags: { open: true },
    screen: accountScreen("TermsScreen"),
  }),
  screen({
    path: "/sessions",
    name: "sessions",
    title: "Sessions",
    flags: { redirectActive: true },
    screen: playerScreen("SessionsScreen"),
  }),
  screen({
    path: "/sessions/new",
    name: "create",
    title: "New session",
    heading: "Sessions",
    flags: { admin: true },
    screen: adminScreen("NewSessionScreen"),
  }),
  screen({
    path: "/sessions/:id/edit",
    name: "edit",
    title: "Edit session",
    heading: "Sessions",
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
        title: "Admin",
        flags: { admin: true },
        screen: adminScreen("ShowScreen"),
      }),
      ...(
        [
          { path: "/sessions/:slug/history", name: "history", title: "Call history", code: "HistoryScreen" },
          { path: "/sessions/:slug/history/:callId", title: "Receipt", code: "HistoryScreen" },
          {
            path: "/sessions/:slug/events/:eventId",
            title: "How this was settled",
            code: "SettlementScreen",
          },
          { path: "/sessions/:slug/join", name: "sessionRegistration", title: "Join", code: "JoinScreen" },
          { path: "/sessions/:slug/leaders", name: "leaders", title: "Leaders", code: "LeadersScreen" },
        ] as const
      ).map(({ code, ...row }) => screen({ ...row, screen: playerScreen(code) })),
      screen({
        path: "/sessions/:slug/chat",
        name: "chat",
        title: "Chat",
        flags: { redirectActive: true },
        screen: playerScreen("ChatScreen"),
      }),
    ],
  },
  ...(
    [
      { path: "/blueprints", name: "blueprints", title: "Blueprints", code: "BlueprintsScreen" },
      { path: "/blueprints/new", title: "New blueprint", code: "NewBlueprintScreen" },
      { path: "/blueprints/:id", title: "Blueprint", code: "BlueprintScreen" },
      { path: "/blueprints/:id/edit", title: "Edit blueprint", code: "EditBlueprintScreen" },
    ] as const
  ).map(({ code, ...row }) =>
    screen({ ...row, heading: "Blueprints", flags: { admin: true }, screen: adminScreen(code) }),
  ),
  screen({
    path: "/leaderboard",
    name: "leaderboard",
    title: "Leaderboard",
    flags: { redirectActive: true },
    screen: playerScreen("LeaderboardScreen"),
  }),
  screen({
    path: "/leaderboard/:userId",
    title: "Record",
    heading: "Leaderboard",
    flags: { redirectActive: true },
    screen: playerScreen("ScoreScreen"),
  }),
  ...(
    [
      { path: "/profile", name: "profile", title: "Profile", code: "ProfileScreen" },
      { path: "/profile/avatar", title: "Picture", code: "AvatarScreen" },
      { path: "/profile/details", title: "Details", code: "DetailsScreen" },
      { path: "/profile/account", title: "Account", code: "AccountScreen" },
      { path: "/profile/wallet", title: "Wallet", code: "WalletScreen" },
      { path: "/profile/wallet/payments", title: "Payments", code: "PaymentsScreen" },
    ] as const
  ).map(({ code, ...row }) => screen({ ...row, heading: "Profile", screen: accountScreen(code) })),
  {
    path: "/profile/wallet/top_up",
    middleware: [guard({ guest: true })],
    loader: () => redirect("/profile/wallet"),
    action: withErrorResponses(topUp),
  },
  screen({
    path: "/checkout/:reference",
    title: "Checkout",
    layout: "bare",
    screen: accountScreen("CheckoutScreen"),
  }),
  screen({
    path: "/admin/books",
    title: "Books",
    flags: { staff: true },
    screen: adminScreen("BooksScreen"),
  }),
  screen({
    path: "/users",
    name: "users",
    title: "Users",
    flags: { admin: true, redirectActive: true },
    screen: adminScreen("UsersScreen"),
  }),
  screen({
    path: "/users/:id",
    name: "user",
    title: "User",
    heading: "Users",
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

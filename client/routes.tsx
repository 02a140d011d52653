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
    path: "/sessions",
    title: "Sessions",
    flags: { redirectActive: true },
    screen: playerScreen("SessionsScreen"),
  }),
  screen({
    path: "/sessions/new",
    title: "New session",
    heading: "Sessions",
    flags: { admin: true },
    screen: adminScreen("NewSessionScreen"),
  }),
  screen({
    path: "/sessions/:id/edit",
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
        title: "",
        layout: "play",
        flags: { guest: true, watch: true, adminsLandOn: "/admin" },
        loader: loadAction,
        action: actOnAction,
        screen: ActionScreen,
      }),
      screen({
        path: "/sessions/:slug/admin",
        title: "Admin",
        flags: { admin: true },
        screen: adminScreen("ShowScreen"),
      }),
      screen({
        path: "/sessions/:slug/history",
        title: "Call history",
        screen: playerScreen("HistoryScreen"),
      }),
      screen({
        path: "/sessions/:slug/history/:callId",
        title: "Receipt",
        screen: playerScreen("HistoryScreen"),
      }),
      screen({
        path: "/sessions/:slug/events/:eventId",
        title: "How this was settled",
        screen: playerScreen("SettlementScreen"),
      }),
      screen({
        path: "/sessions/:slug/join",
        title: "Join",
        screen: playerScreen("JoinScreen"),
      }),
      screen({
        path: "/sessions/:slug/leaders",
        title: "Leaders",
        screen: playerScreen("LeadersScreen"),
      }),
      screen({
        path: "/sessions/:slug/chat",
        title: "Chat",
        flags: { redirectActive: true },
        screen: playerScreen("ChatScreen"),
      }),
    ],
  },
  screen({
    path: "/blueprints",
    title: "Blueprints",
    heading: "Blueprints",
    flags: { admin: true },
    screen: adminScreen("BlueprintsScreen"),
  }),
  screen({
    path: "/blueprints/new",
    title: "New blueprint",
    heading: "Blueprints",
    flags: { admin: true },
    screen: adminScreen("NewBlueprintScreen"),
  }),
  screen({
    path: "/blueprints/:id",
    title: "Blueprint",
    heading: "Blueprints",
    flags: { admin: true },
    screen: adminScreen("BlueprintScreen"),
  }),
  screen({
    path: "/blueprints/:id/edit",
    title: "Edit blueprint",
    heading: "Blueprints",
    flags: { admin: true },
    screen: adminScreen("EditBlueprintScreen"),
  }),
  screen({
    path: "/leaderboard",
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
      { path: "/profile", title: "Profile", name: "ProfileScreen" },
      { path: "/profile/avatar", title: "Picture", name: "AvatarScreen" },
      { path: "/profile/details", title: "Details", name: "DetailsScreen" },
      { path: "/profile/account", title: "Account", name: "AccountScreen" },
      { path: "/profile/wallet", title: "Wallet", name: "WalletScreen" },
      { path: "/profile/wallet/payments", title: "Payments", name: "PaymentsScreen" },
    ] as const
  ).map(({ name, ...row }) => screen({ ...row, heading: "Profile", screen: accountScreen(name) })),
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
    title: "Users",
    flags: { admin: true, redirectActive: true },
    screen: adminScreen("UsersScreen"),
  }),
  screen({
    path: "/users/:id",
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

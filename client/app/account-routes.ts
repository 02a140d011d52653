import { redirect, type RouteObject } from "react-router";
import { withErrorResponses } from "#client/base/page/error-responses.ts";
import * as say from "#client/ui/frame-texts.ts";
import { loadPlayAsGuest, signInScreen } from "./chunks.ts";
import { screen } from "./screen.ts";

/** How a visitor signs in, joins by a code, plays as a guest, registers, and gets back into an account. */
export const accountRoutes: RouteObject[] = [
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

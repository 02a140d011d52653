import { redirect, type RouteObject } from "react-router";
import * as words from "#client/base/format/words.ts";
import { withErrorResponses } from "#client/base/page/error-responses.ts";
import { loadPlayAsGuest, signInScreen } from "./chunks.ts";
import { screen } from "./screen.ts";

/** How a visitor signs in, joins by a code, plays as a guest, registers, and gets back into an account. */
export const accountRoutes: RouteObject[] = [
  screen({
    path: "/users/sign_in",
    title: words.signIn,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("SignInScreen"),
  }),
  screen({
    path: "/join",
    title: "Join a show",
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("CodeScreen"),
  }),
  screen({
    path: "/guest",
    name: "guestInterstitial",
    title: "Welcome",
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
    title: words.createAccount,
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("RegistrationScreen"),
  }),
  ...[
    { path: "/users/password", title: words.forgotYourPassword },
    { path: "/users/confirmation", title: words.confirmYourEmail },
    { path: "/users/unlock", title: words.unlockYourAccount },
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
    title: "New password",
    layout: "bare",
    flags: { open: true },
    reads: {},
    screen: signInScreen("NewPasswordScreen"),
  }),
];

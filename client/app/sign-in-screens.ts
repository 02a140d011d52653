import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { CodeScreen } from "#client/screens/code/code-screen.tsx";
import { joinByCode } from "#client/screens/code/join-by-code.ts";
import { loadCode } from "#client/screens/code/load-code.ts";
import { changeNameAndFace } from "#client/screens/guest/change-name-and-face.ts";
import { GuestScreen } from "#client/screens/guest/guest-screen.tsx";
import { LeaveScreen } from "#client/screens/guest/leave-screen.tsx";
import { loadGuest } from "#client/screens/guest/load-guest.ts";
import { loadLeaving } from "#client/screens/guest/load-leaving.ts";
import { loadRegistration } from "#client/screens/guest/load-registration.ts";
export { playAsGuest } from "#client/screens/guest/play-as-guest.ts";
import { register } from "#client/screens/guest/register.ts";
import { RegistrationScreen } from "#client/screens/guest/registration-screen.tsx";
import { askForMail } from "#client/screens/sign-in/ask-for-mail.ts";
import { choosePassword } from "#client/screens/sign-in/choose-password.ts";
import { enter } from "#client/screens/sign-in/enter.ts";
import { loadNewPassword } from "#client/screens/sign-in/load-new-password.ts";
import { loadSignIn } from "#client/screens/sign-in/load-sign-in.ts";
import { MailScreen } from "#client/screens/sign-in/mail-screen.tsx";
import { NewPasswordScreen } from "#client/screens/sign-in/new-password-screen.tsx";
import { openMailLink } from "#client/screens/sign-in/open-mail-link.ts";
import { SignInScreen } from "#client/screens/sign-in/sign-in-screen.tsx";
import { TermsScreen } from "#client/screens/terms/terms-screen.tsx";
import { signOut } from "#client/sign-ins/sign-out.ts";

/**
 * The screens of somebody who signs in, registers, plays as a guest or leaves, with their data and forms, in one chunk. The account's
 * own settings are in another, so that a visit that begins with the sign-in page does not fetch them.
 */
export const signInScreens = {
  CodeScreen: { Component: CodeScreen, loader: loadCode, action: joinByCode },
  GuestScreen: { Component: GuestScreen, loader: loadGuest, action: changeNameAndFace },
  LeaveScreen: { Component: LeaveScreen, loader: loadLeaving, action: signOut },
  MailScreen: { Component: MailScreen, loader: openMailLink, action: askForMail },
  NewPasswordScreen: { Component: NewPasswordScreen, loader: loadNewPassword, action: choosePassword },
  RegistrationScreen: { Component: RegistrationScreen, loader: loadRegistration, action: register },
  SignInScreen: { Component: SignInScreen, loader: loadSignIn, action: enter },
  TermsScreen: { Component: TermsScreen },
} satisfies Record<string, ScreenInChunk>;

import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { CodeScreen, joinByCode, loadCode } from "#client/screens/code/code-screen.tsx";
import {
  GuestScreen,
  LeaveScreen,
  changeNameAndFace,
  loadGuest,
  loadLeaving,
} from "#client/screens/guest/guest-screen.tsx";
import {
  loadRegistration,
  register,
  RegistrationScreen,
} from "#client/screens/guest/registration-screen.tsx";
export { playAsGuest } from "#client/screens/guest/guest-screen.tsx";
import {
  MailScreen,
  NewPasswordScreen,
  askForMail,
  choosePassword,
  loadNewPassword,
  openMailLink,
} from "#client/screens/sign-in/mail-screen.tsx";
import { enter, loadSignIn, SignInScreen } from "#client/screens/sign-in/sign-in-screen.tsx";
import { loadTerms, TermsScreen } from "#client/screens/terms/terms-screen.tsx";
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
  TermsScreen: { Component: TermsScreen, loader: loadTerms },
} satisfies Record<string, ScreenInChunk>;

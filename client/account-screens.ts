import { GuestScreen } from "./guest/guest-screen.tsx";
import { LeaveScreen } from "./guest/leave-screen.tsx";
import { loadGuest } from "./guest/load-guest.ts";
import { loadLeaving } from "./guest/load-leaving.ts";
import { loadRegistration } from "./guest/load-registration.ts";
import { register } from "./guest/register.ts";
import { RegistrationScreen } from "./guest/registration-screen.tsx";
import type { ScreenInChunk } from "./handle.ts";
import { CheckoutScreen } from "./payments/checkout-screen.tsx";
import { endCheckout } from "./payments/end-checkout.ts";
import { loadPayment } from "./payments/load-payment.ts";
import { loadPayments } from "./payments/load-payments.ts";
import { PaymentsScreen } from "./payments/payments-screen.tsx";
import { payIn } from "./payments/send-pay-in.ts";
import { AvatarScreen } from "./profiles/avatar-screen.tsx";
import { DetailsScreen } from "./profiles/details-screen.tsx";
import { loadProfile } from "./profiles/load-profile.ts";
import { ProfileScreen } from "./profiles/profile-screen.tsx";
import { sendAvatar } from "./profiles/send-avatar.ts";
import { sendDetails } from "./profiles/send-details.ts";
import { actOnShares } from "./share/act-on-shares.ts";
import { loadShared } from "./share/load-shared.ts";
import { loadShares } from "./share/load-shares.ts";
import { SharedScreen } from "./share/shared-screen.tsx";
import { SharesScreen } from "./share/shares-screen.tsx";
import { TermsScreen } from "./terms/terms-screen.tsx";
import { AccountScreen } from "./users/account-screen.tsx";
import { askForMail } from "./users/ask-for-mail.ts";
import { changeAccount } from "./users/change-account.ts";
import { choosePassword } from "./users/choose-password.ts";
import { loadAccount } from "./users/load-account.ts";
import { loadNewPassword } from "./users/load-new-password.ts";
import { loadSignIn } from "./users/load-sign-in.ts";
import { MailScreen } from "./users/mail-screen.tsx";
import { NewPasswordScreen } from "./users/new-password-screen.tsx";
import { openMailLink } from "./users/open-mail-link.ts";
import { SignInScreen } from "./users/sign-in-screen.tsx";
import { signIn } from "./users/sign-in.ts";
import { signOut } from "./users/sign-out.ts";
import { loadWallet } from "./wallet/load-wallet.ts";
import { WalletScreen } from "./wallet/wallet-screen.tsx";

/** The screens of the viewer's own account, with their data and forms, in one chunk. */
export const accountScreens = {
  AccountScreen: { Component: AccountScreen, loader: loadAccount, action: changeAccount },
  AvatarScreen: { Component: AvatarScreen, loader: loadProfile, action: sendAvatar },
  CheckoutScreen: { Component: CheckoutScreen, loader: loadPayment, action: endCheckout },
  DetailsScreen: { Component: DetailsScreen, loader: loadProfile, action: sendDetails },
  GuestScreen: { Component: GuestScreen, loader: loadGuest },
  LeaveScreen: { Component: LeaveScreen, loader: loadLeaving, action: signOut },
  MailScreen: { Component: MailScreen, loader: openMailLink, action: askForMail },
  NewPasswordScreen: { Component: NewPasswordScreen, loader: loadNewPassword, action: choosePassword },
  PaymentsScreen: { Component: PaymentsScreen, loader: loadPayments },
  ProfileScreen: { Component: ProfileScreen, loader: loadProfile },
  RegistrationScreen: { Component: RegistrationScreen, loader: loadRegistration, action: register },
  SharedScreen: { Component: SharedScreen, loader: loadShared },
  SharesScreen: { Component: SharesScreen, loader: loadShares, action: actOnShares },
  SignInScreen: { Component: SignInScreen, loader: loadSignIn, action: signIn },
  TermsScreen: { Component: TermsScreen },
  WalletScreen: { Component: WalletScreen, loader: loadWallet, action: payIn },
} satisfies Record<string, ScreenInChunk>;

import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { payIn } from "#client/payments/send-pay-in.ts";
import { AccountScreen } from "#client/screens/account/account-screen.tsx";
import { loadAccount } from "#client/screens/account/load-account.ts";
import { GuestScreen } from "#client/screens/guest/guest-screen.tsx";
import { LeaveScreen } from "#client/screens/guest/leave-screen.tsx";
import { loadGuest } from "#client/screens/guest/load-guest.ts";
import { loadLeaving } from "#client/screens/guest/load-leaving.ts";
import { loadRegistration } from "#client/screens/guest/load-registration.ts";
import { register } from "#client/screens/guest/register.ts";
import { RegistrationScreen } from "#client/screens/guest/registration-screen.tsx";
import { CheckoutScreen } from "#client/screens/payments/checkout-screen.tsx";
import { endCheckout } from "#client/screens/payments/end-checkout.ts";
import { loadPayment } from "#client/screens/payments/load-payment.ts";
import { loadPayments } from "#client/screens/payments/load-payments.ts";
import { PaymentsScreen } from "#client/screens/payments/payments-screen.tsx";
import { AvatarScreen } from "#client/screens/profiles/avatar-screen.tsx";
import { DetailsScreen } from "#client/screens/profiles/details-screen.tsx";
import { loadProfile } from "#client/screens/profiles/load-profile.ts";
import { ProfileScreen } from "#client/screens/profiles/profile-screen.tsx";
import { sendAvatar } from "#client/screens/profiles/send-avatar.ts";
import { sendDetails } from "#client/screens/profiles/send-details.ts";
import { actOnShares } from "#client/screens/shares/act-on-shares.ts";
import { loadShared } from "#client/screens/shares/load-shared.ts";
import { loadShares } from "#client/screens/shares/load-shares.ts";
import { SharedScreen } from "#client/screens/shares/shared-screen.tsx";
import { SharesScreen } from "#client/screens/shares/shares-screen.tsx";
import { askForMail } from "#client/screens/sign-in/ask-for-mail.ts";
import { choosePassword } from "#client/screens/sign-in/choose-password.ts";
import { loadNewPassword } from "#client/screens/sign-in/load-new-password.ts";
import { loadSignIn } from "#client/screens/sign-in/load-sign-in.ts";
import { MailScreen } from "#client/screens/sign-in/mail-screen.tsx";
import { NewPasswordScreen } from "#client/screens/sign-in/new-password-screen.tsx";
import { openMailLink } from "#client/screens/sign-in/open-mail-link.ts";
import { SignInScreen } from "#client/screens/sign-in/sign-in-screen.tsx";
import { signIn } from "#client/screens/sign-in/sign-in.ts";
import { TermsScreen } from "#client/screens/terms/terms-screen.tsx";
import { loadWallet } from "#client/screens/wallet/load-wallet.ts";
import { WalletScreen } from "#client/screens/wallet/wallet-screen.tsx";
import { changeAccount } from "#client/sign-ins/change-account.ts";
import { signOut } from "#client/sign-ins/sign-out.ts";

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

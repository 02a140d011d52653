import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { actOnNotifications } from "#client/notifications/act-on-notifications.ts";
import { payIn } from "#client/payments/send-pay-in.ts";
import { AccountScreen } from "#client/screens/account/account-screen.tsx";
import { loadAccount } from "#client/screens/account/load-account.ts";
import { CheckoutScreen } from "#client/screens/payments/checkout-screen.tsx";
import { endCheckout } from "#client/screens/payments/end-checkout.ts";
import { loadPayment } from "#client/screens/payments/load-payment.ts";
import { loadPayments } from "#client/screens/payments/load-payments.ts";
import { PaymentsScreen } from "#client/screens/payments/payments-screen.tsx";
import { AvatarScreen } from "#client/screens/profiles/avatar-screen.tsx";
import { DetailsScreen } from "#client/screens/profiles/details-screen.tsx";
import { loadOwnProfile, loadProfile } from "#client/screens/profiles/load-profile.ts";
import { ProfileScreen } from "#client/screens/profiles/profile-screen.tsx";
import { sendAvatar } from "#client/screens/profiles/send-avatar.ts";
import { sendDetails } from "#client/screens/profiles/send-details.ts";
import { actOnShares } from "#client/screens/shares/act-on-shares.ts";
import { loadShared } from "#client/screens/shares/load-shared.ts";
import { loadShares } from "#client/screens/shares/load-shares.ts";
import { SharedScreen } from "#client/screens/shares/shared-screen.tsx";
import { SharesScreen } from "#client/screens/shares/shares-screen.tsx";
import { loadWallet } from "#client/screens/wallet/load-wallet.ts";
import { WalletScreen } from "#client/screens/wallet/wallet-screen.tsx";
import { changeAccount } from "#client/sign-ins/change-account.ts";
import { topUp } from "#client/wallet/send-top-up.ts";

/** The screens of the viewer's own account, with their data and forms, in one chunk. */
export const accountScreens = {
  AccountScreen: { Component: AccountScreen, loader: loadAccount, action: changeAccount },
  AvatarScreen: { Component: AvatarScreen, loader: loadProfile, action: sendAvatar },
  CheckoutScreen: { Component: CheckoutScreen, loader: loadPayment, action: endCheckout },
  DetailsScreen: { Component: DetailsScreen, loader: loadProfile, action: sendDetails },
  PaymentsScreen: { Component: PaymentsScreen, loader: loadPayments },
  ProfileScreen: { Component: ProfileScreen, loader: loadOwnProfile },
  SharedScreen: { Component: SharedScreen, loader: loadShared },
  SharesScreen: { Component: SharesScreen, loader: loadShares, action: actOnShares },
  WalletScreen: { Component: WalletScreen, loader: loadWallet, action: payIn },
} satisfies Record<string, ScreenInChunk>;

/** Forms of the frame and of the wallet, in this chunk because the first scripts have no room for them. */
export { actOnNotifications, topUp };

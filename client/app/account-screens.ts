import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { actOnNotifications } from "#client/notifications/act-on-notifications.ts";
import { payIn } from "#client/payments/send-pay-in.ts";
import { AccountScreen, loadAccount } from "#client/screens/account/account-screen.tsx";
import {
  cancelCheckout,
  CheckoutScreen,
  endCheckout,
  loadPayment,
  loadPayments,
  PaymentsScreen,
} from "#client/screens/payments/payments-screen.tsx";
import { AvatarScreen, sendAvatar } from "#client/screens/profiles/avatar-screen.tsx";
import {
  DetailsScreen,
  loadOwnProfile,
  loadProfile,
  ProfileScreen,
  sendDetails,
} from "#client/screens/profiles/profile-screen.tsx";
import { loadShared, SharedScreen } from "#client/screens/shares/shared-screen.tsx";
import { actOnShares, loadShares, SharesScreen } from "#client/screens/shares/shares-screen.tsx";
import { actOnSpending, loadSpending, SpendingScreen } from "#client/screens/spending/spending-screen.tsx";
import { loadStatement, StatementScreen } from "#client/screens/spending/statement-screen.tsx";
import { loadWallet, WalletScreen } from "#client/screens/wallet/wallet-screen.tsx";
import { changeAccount } from "#client/sign-ins/change-account.ts";
import { topUp } from "#client/wallet/send-top-up.ts";

/** The screens of the viewer's own account, with their data and forms, in one chunk. */
export const accountScreens = {
  AccountScreen: { Component: AccountScreen, loader: loadAccount, action: changeAccount },
  AvatarScreen: { Component: AvatarScreen, loader: loadProfile, action: sendAvatar },
  CheckoutScreen: { Component: CheckoutScreen, loader: loadPayment, action: endCheckout },
  DetailsScreen: { Component: DetailsScreen, loader: loadProfile, action: sendDetails },
  PaymentsScreen: { Component: PaymentsScreen, loader: loadPayments, action: cancelCheckout },
  ProfileScreen: { Component: ProfileScreen, loader: loadOwnProfile },
  SharedScreen: { Component: SharedScreen, loader: loadShared },
  SharesScreen: { Component: SharesScreen, loader: loadShares, action: actOnShares },
  SpendingScreen: { Component: SpendingScreen, loader: loadSpending, action: actOnSpending },
  StatementScreen: { Component: StatementScreen, loader: loadStatement },
  WalletScreen: { Component: WalletScreen, loader: loadWallet, action: payIn },
} satisfies Record<string, ScreenInChunk>;

/** Forms of the frame and of the wallet, in this chunk because the first scripts have no room for them. */
export { actOnNotifications, topUp };

import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import type { userGroups, UserOrder } from "#src/profiles/contract.ts";

/** The texts of the users' pages for admins. */

// Users screen
export const moreMatchesHint = (shownMax: number) =>
  `Only ${formatCount(shownMax)} are listed. Search for more letters to find others.`;
export const show = "Show";
export const groups = {
  "": "Everybody",
  admin: "Admins",
  operator: "Operators",
  account: "Accounts",
  guest: "Guests",
} as const satisfies Record<"" | (typeof userGroups)[number], string>;
export const order = "Order";
export const orders = {
  newest: "Newest first",
  name: "By name",
  last_visit: "Last visit first",
} as const satisfies Record<UserOrder, string>;
export const lastVisit = "Last visit";
export const longAgo = "Long ago";
export const emailOrUsername = "Email or username";
export const searchUsers = "Search users";
export const search = "Search";
export const id = "Id";
export const email = "Email";
export const actions = "Actions";
export const loading = "Loading...";
export const partOfAccount = "part of an account";
export const view = "View";
export const nobodyFound = "Nobody found";
export const nobodyFoundHint = (searchText: string) => `No email or username contains “${searchText}”.`;
export const showEverybody = "Show everybody";

// User screen
export const backToUsers = "Back to Users";
export const wallet = "Wallet";
export const transactions = "Transactions";
export const user = "User";
export const none = "None";
export const username = "Username";
export const phone = "Phone";
export const created = "Created";
export const roles = "Roles";
export const player = "Player";
export const account = "Account";
export const balance = "Balance";
export const available = "Available";
export const heldInCalls = "Held in calls";
export const owed = "Owed";

// User calls
export const calls = "Calls";
export const noCallsYet = "No calls yet.";
export const takeBack = "Take back";
export const takeBackSuffix = (eventTitle: string) => `the call on ${eventTitle}`;
export const takeBackConfirm = (wagerCents: number) => `Take back this call of ${formatMoney(wagerCents)}?`;
export const takeItBack = "Take it back";
export const keepIt = "Keep it";
export const takeBackHint =
  "The wager is refunded, the call leaves the pool, and the player is notified. It cannot be undone.";
export const reason = "Reason";
export const reasonHint = "The player reads it.";

// Payments panel
export const payments = "Payments";
export const noPaymentsYet = "Nothing was paid in yet.";

// Manage account
export const adminHint = "runs the show and manages players";
export const operatorHint = "looks after the queues and the books";
export const cannotChangeOwnRoles = "You cannot change your own roles. Ask another admin.";
export const cannotAdjustOwnWallet = "This wallet is yours. Another admin must adjust it.";
export const cannotDeactivateOwnAccount = "This is your own account.";
export const mergeHint =
  "On request: what this guest has played, and has won beyond the play money, becomes a player's. It cannot be undone.";
export const accountName = "Name of the account";
export const merge = "Make it a part of an account";
export const mergeAct = "Make it a part";
export const mergeConfirm = (name: string) => `Make ${name} a part of an account?`;
export const mergedGuest = "The guest is a part of this account, which has the calls and the money.";
export const removeNameHint =
  "The player is guest_N until choosing another name and picture, and is told. The name cannot be chosen again.";
export const removeName = "Take name and picture away";
export const nameIsNeutral = "The player has a neutral name and no picture.";
export const accountLocked = "Locked after too many wrong passwords.";
export const unlock = "Unlock";
export const saveRoles = "Save roles";
export const deactivate = "Deactivate";
export const deactivateConfirm = (name: string) => `Deactivate ${name}?`;
export const deactivateHint =
  "Every sign-in ends at once. The wallet and the calls stay, and you can reactivate the account.";
export const accountDeactivated = "Deactivated: nobody can sign in.";
export const reactivate = "Reactivate";

// Edit details
export const details = "Details";
export const usernameHint = "3 to 20 letters, digits and underscores. Everybody sees it.";
export const phoneHint = "With the country in front: +1 415 555 0100. Other players do not see it.";
export const saveDetails = "Save details";

// Adjust wallet
export const adjustTheWallet = "Adjust the wallet";
export const amountInDollars = "Amount in dollars";
export const amountHint = "Below 0 takes money away. What the wallet cannot cover is owed.";
export const adjustReasonHint = "The player reads it in the wallet's history.";
export const adjust = "Adjust";

// Act on user
export const blank = "can't be blank";
export const changedMeanwhile = "Somebody changed this user meanwhile. This is how it is now.";

/** The texts of the form for announcements. */

// Announcement form
export const tellEverybody = "Tell everybody";
export const announcement = "Announcement";
export const announcementHint = "Everybody reads it among the notifications, guests too.";
export const moreAboutIt = "More about it";
export const announce = "Announce";

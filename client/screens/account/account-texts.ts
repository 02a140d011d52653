/** The texts of the account's settings. */

// Account screen
export const account = "Account";
export const email = "Email";
export const changeEmail = "Change email";
export const currentEmail = "You sign in as {email}.";
export const emailNotConfirmed = "This address is not confirmed yet. Open the link in our mail, or {again}.";
export const emailChangeWaits = "A change to {email} waits for the link in the mail that went there.";
export const sendAgain = "have it sent again";
export const newEmail = "New email";
export const confirmationSent =
  "Open the link in the mail that we sent to the new address. Until then the old one stays.";
export const password = "Password";
export const changePassword = "Change password";
export const passwordChanged = "Changed. Everybody else who was signed in is signed out.";
export const closeTheAccount = "Close the account";
export const closeHint =
  "You are signed out everywhere and cannot sign in any more. Your calls and results stay.";
export const closeMyAccount = "Close my account";
export const closeConfirm = "Close your account?";
export const keepIt = "Keep it";
export const closeConfirmHint = "Only an admin can open it again.";
export const wrongPassword = "That was not your password. Your account stays open.";

// Sign in list
export const signIns = "Where you are signed in";
export const signedOutThere = "Signed out there.";
export const signedOutEverywhereElse = "Signed out everywhere else.";
export const signOutEverywhereElse = "Sign out everywhere else";
export const unknownAddress = "Unknown address";
export const addressNow = "{address}, now";
export const addressAt = "{address}, {at}";
export const thisBrowser = "This browser";
export const signOut = "Sign out";

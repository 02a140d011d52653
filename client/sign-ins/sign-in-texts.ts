/** The texts of the sign-in, the mails for it and new passwords. */

// Sign in screen
export const slogan = "Say it before it happens.";
export const password = "Password";
export const signIn = "Sign in";
export const forgotYourPassword = "Forgot your password?";
export const ana = "Ana";
export const ben = "Ben";
export const cleo = "Cleo";
export const admin = "Admin";
export const runsTheShow = "runs the show";
export const demoSignIns = "Demo sign-ins";
export const demoHint = "This is a demo with play money. Come in as one of its people, password {password}.";
export const plays = "plays";
export const signedOut =
  "You are signed out: in another tab or on another device, or because your password or your roles have changed.";
export const passwordChanged = "Your password is changed. Sign in with the new one.";
export const accountClosed = "Your account is closed, and you are signed out.";
export const mergeGuest = (name: string) => `Make ${name} a part of my account.`;
export const mergeGuestHint =
  "Its calls, results and what it has won are yours then. Otherwise it stays behind, and you cannot come back to it.";
export const sendMailAgain = "Send me the mail again";

// Mail screen
export const forgotPasswordHint = "Tell us your email address. We send you a link, and you choose a new one.";
export const sendTheLink = "Send the link";
export const confirmYourEmail = "Confirm your email";
export const confirmEmailHint = "The mail did not come? Tell us your email address, and we send it again.";
export const confirmMyEmail = "Confirm my email";
export const confirmPressHint = "One press, and this address is yours here.";
export const unlockMyAccount = "Unlock my account";
export const unlockPressHint = "One press, and you can sign in again.";
export const sendItAgain = "Send it again";
export const unlockYourAccount = "Unlock your account";
export const unlockHint =
  "After 20 wrong passwords an account is locked for an hour. We can send you a link that unlocks it now.";
export const goToTheSessions = "Go to the sessions";

// New password screen
export const chooseANewPassword = "Choose a new password";
export const changeMyPassword = "Change my password";
export const changePasswordHint = "Everybody who is signed in to your account is signed out then.";
export const askForANewLink = "Ask for a new link";

// New password fields
export const newPassword = "New password";
export const passwordRules = "At least 8 characters. A few words in a row are good.";
export const newPasswordAgain = "New password again";

// Email field
export const email = "Email";

// Remember me
export const rememberMe = "Remember me";

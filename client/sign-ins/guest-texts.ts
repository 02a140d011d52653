/** The texts of guests and of the registration. */

// Guest screen
export const welcomeTitle = "Welcome, guest user!";
export const welcomeHint = "To view the rest of the site, you need to finish creating your account.";
export const createAccount = "Create Account";
export const backToLive = "Back to the live session";
export const moneyKept = (amount: string) => `Your ${amount} comes with you.`;
export const moneyAndRankKept = (amount: string) => `Your ${amount} and your rank come with you.`;

// Name and face
export const nameAndFace = "Your name and face";
export const save = "Save";
export const saved = "Saved. Everybody sees you like this now.";
export const chooseFace = "Choose a face";
export const yourFace = "Your face";
export const faceNumber = (face: number) => `Face ${face}`;

// Leave screen
export const leaveTitle = "Leave for good?";
export const leaveHint =
  "Only this browser knows you, and a logout makes it forget. With an account you can come back.";
export const logoutAnyway = "Logout anyway";

// Newcomer
export const guestHint =
  "You play as a guest. To keep your balance and your calls, create an account instead.";
export const newcomerHint = "New here? {create}.";
export const createAccountLink = "Create an account";

// Registration screen
export const finishTitle = "Finish your account";
export const createTitle = "Create your account";
export const haveAccount = "You have an account?";
export const signIn = "Sign in";
export const checkFields = "Some fields need a change. They are marked below.";
export const username = "Username";
export const usernameHint = "3 to 20 letters, digits or underscores.";
export const password = "Password";
export const passwordHint = "At least 8 characters.";
export const passwordLater = "Choose a password now";
export const passwordLaterHint = "Without one, “Forgot your password?” lets you choose it later.";

/** The texts of parts that many late pages have: forms, lists and questions. */

// Confirm
export const cancel = "Cancel";

// Cover
export const brandLink = "Called It, sessions";
export const terms = "Terms";

// Password field
export const show = "Show";
export const hide = "Hide";
export const showPassword = "Show password";
export const hidePassword = "Hide password";

// Refused in form
export const typedIsKept = (troubleText: string) => `${troubleText} What you typed is still here.`;
export const noAnswer = "No answer from the server. Look whether it was done, then try again.";
export const serverError =
  "Something went wrong on our side, and nothing was changed. Try again in a moment.";

// Refusals that the API words for programs
export const balanceTooLow = "Your wallet has insufficient balance to cover this wager.";

// When loaded
export const loading = "Loading...";

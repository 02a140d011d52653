/** The terms of use, and what asks for them. */

// Terms screen
export const terms = "Terms";
export const intro =
  "Short, because the game is. By creating an account or playing as a guest you agree to this.";
export const playMoney = "Play money";
export const noRealMoneyRule =
  "You play with play money. It is worth nothing outside of the game, and is never paid out.";
export const topUpRule = "A new wallet starts with some. When you run out, you can top up once a day.";
export const depositRule = "A deposit buys more play money. Only the people who run this site can refund it.";
export const fairPlay = "Fair play";
export const oneAccountRule = "One person, one account.";
export const callTimeRule =
  "A call counts if it reached the server before its question closed. Only the server's clock counts.";
export const resultsRule =
  "The host decides the results, and may correct a wrong one. Then all its calls are settled again, and you can read why.";
export const chatRule = "Be kind in the chat. The host can mute players there, and close accounts.";
export const whatIsKept = "What is kept";
export const keptProfile =
  "Your email address, your username, and what you add to your profile. Your password only in a form that nobody can read.";
export const keptEntries =
  "Your calls, your wallet's entries and your chat messages. They stay when you close your account, because the books are never rewritten.";
export const keptBrowsers =
  "The browsers with which you sign in, and their network addresses, so that you can check and end each sign-in.";
export const keptCookies = "The cookies below. No advertising, no tracking.";
export const removedAfter =
  "Guests who never placed a call are removed after 30 days, and notifications after 90.";
export const createAccount = "Create an account";
export const account = "Account";

// Accept terms
export const acceptTerms = "I accept the {terms}";
export const termsLink = "terms";
export const closeAccountHint = "You can close your account under {account}.";
export const newTabHint = "(opens in a new tab)";
export const termsProblem = (problem: string) => `Terms ${problem}`;

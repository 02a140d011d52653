/** The texts of the frame around each page: navigation, menus, the state of the connection, errors. */

// Frame
export const skipLink = "Skip to the page";
export const profile = "Profile";
export const session = "Session";
export const loading = "Loading...";

// Menu
export const menu = "Menu";
export const closeMenu = "Close menu";
export const main = "Main";
export const you = "You";
export const leave = "Leave";
export const logout = "Logout";

// Not live
export const notLiveNotice = "This page is no longer live. Reload it to see what is new.";
export const reload = "Reload";

// Theme switch
export const system = "System";
export const light = "Light";
export const dark = "Dark";
export const highContrast = "High contrast";
export const theme = "Theme";

// Top bar
export const joinByCode = "Join a show";
export const signIn = "Sign in";
export const brandLink = "Called It, sessions";
export const inSync = "In sync";
export const slowLink = "Slow link";
export const offline = "Offline";
export const notLive = "Not live";
export const catchingUp = "Catching up";
export const secondsBehind = (seconds: number) => `${seconds} s behind`;

// Error box
export const notFoundTitle = "Nothing was called here";
export const notFoundText = "This page does not exist, or it is not yours to see.";
export const signedOutTitle = "You are signed out";
export const signedOutText = "Sign in again to see this.";
export const forbiddenTitle = "Not for you";
export const forbiddenText = "Your role does not open this page.";
export const tooOftenTitle = "Not so fast";
export const tooOftenText = "That was too often.";
export const unavailableTitle = "Back in a moment";
export const unavailableText =
  "Called It is catching its breath. Your calls and your balance are safe. Try again in a moment.";
export const offlineTitle = "You are offline";
export const offlineText = "The server cannot be reached. Your calls are safe. Try again when you are back.";
export const refusedTitle = "That did not work";
export const refusedText = "Reload the page and try again.";
export const serverErrorTitle = "That was us";
export const serverErrorText =
  "Something went wrong on our side. Your calls and your balance are safe. Try again in a moment.";
export const tryAgain = "Try again";
export const goToSessions = "Go to the sessions";
export const goOn = "Go on";

// Use here
export const calledIt = "Called It";
export const notFound = "Not found";

// Navigation
export const blueprints = "Blueprints";
export const remindMe = "Remind me";
export const sessions = "Sessions";
export const leaderboard = "Leaderboard";
export const season = "Season";
export const seasons = "Seasons";
export const users = "Users";
export const dashboard = "Dashboard";
export const operations = "Operations";
export const books = "Books";
export const queues = "Queues";
export const webhooks = "Webhooks";
export const tokens = "Tokens";
export const needsAccount = "With an account";
export const hosting = "Sessions you host";
export const admin = "Admin";
export const action = "Action";
export const leaders = "Leaders";
export const chat = "Chat";
export const liveChat = "Live chat";
export const history = "History";
export const account = "Account";
export const picture = "Picture";
export const details = "Details";
export const wallet = "Wallet";

// Routes
export const welcome = "Welcome";
export const createAccount = "Create account";
export const forgotPassword = "Forgot your password?";
export const confirmEmail = "Confirm your email";
export const unlockAccount = "Unlock your account";
export const newPassword = "New password";
export const sharedLinks = "Shared links";
export const shared = "Shared";
export const terms = "Terms";
export const newSession = "New session";
export const editSession = "Edit session";
export const callHistory = "Call history";
export const receipt = "Receipt";
export const settlement = "How this was settled";
export const join = "Join";
export const replay = "Replay";
export const bigScreen = "Big screen";
export const newBlueprint = "New blueprint";
export const blueprint = "Blueprint";
export const editBlueprint = "Edit blueprint";
export const dryRun = "Dry run";
export const record = "Record";
export const payments = "Payments";
export const checkout = "Checkout";
export const user = "User";

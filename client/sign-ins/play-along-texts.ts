/** The texts of playing along: for guests and watchers. */

// Play as guest form
export const playAsGuest = "Play as guest";

// Error screen
export const playNow = "Play now";

// Watcher row
export const playAlong = "Play along";
export const signIn = "Sign in";

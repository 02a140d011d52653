/** The texts of playing along: for guests and watchers. */

// Play as guest form
export const playAsGuest = "Play as guest";

// Watcher row
export const playAlong = "Play along";
export const signIn = "Sign in";

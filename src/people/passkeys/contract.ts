export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_LENGTH_MAX = 40;
export const CHALLENGE_S = 300;
/** How old a sign-in by passkey may be, in seconds, to change how its user signs in without another proof. */
export const FRESH_S = 600;

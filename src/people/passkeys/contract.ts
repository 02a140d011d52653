/** How many passkeys a user may have. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_LENGTH_MAX = 40;
/** How long a challenge can be answered, in seconds. */
export const CHALLENGE_S = 300;

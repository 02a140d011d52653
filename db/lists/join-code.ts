// Decision: a join code is six letters and digits that nobody can take for one another, on a big screen or over a microphone. New ones
// have no A, E and U, so that they spell no word. 28 to the power of 6 are 482 million: guessing one of a thousand takes half a million wrong codes.

/** What a code may have. Neither 0 and O, nor 1, I and L. */
export const JOIN_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const JOIN_CODE_LENGTH = 6;
export const joinCodeFormat = /^[2-9A-HJKMNP-Z]{6}$/;

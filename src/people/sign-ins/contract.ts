/** The most letters of an email address and of a password, wherever one is typed. */
export const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MAX = 128;

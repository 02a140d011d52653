/** A name or an email address. */
export const HOST_NAME_LENGTH_MAX = 254;

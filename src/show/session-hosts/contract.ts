export const SESSION_HOSTS_MAX = 50;
/** The most sessions that one user hosts: the sign-in reads all of them. */
export const HOSTED_SESSIONS_MAX = 1_000;
/** A name or an email address. */
export const HOST_NAME_LENGTH_MAX = 254;

export const USERNAME_LENGTH_MIN = 3;
export const USERNAME_LENGTH_MAX = 20;
export const PASSWORD_LENGTH_MIN = 8;

/** Usernames that could be mistaken for the operators or for a missing user. */
const reservedUsernames = `
  about account admin administrator anonymous api bank called_it calledit cashier dashboard deleted everyone guest help
  host house info mail me moderator nobody null official operator owner profile robot root security session sessions
  settings staff superuser support system team undefined user users wallet webmaster you`;
/** The prefixes of generated usernames: of guests, and of removed guests. */
export const GUEST_PREFIX = "guest_";
const GONE_PREFIX = "gone_";
export const isReserved = (name: string) =>
  reservedUsernames.trim().split(/\s+/).includes(name) ||
  name.startsWith(GUEST_PREFIX) ||
  name.startsWith(GONE_PREFIX);
export const isTypedTwice = (form: { password: string; passwordConfirmation: string }) =>
  form.password === form.passwordConfirmation;

export const EMAIL_LENGTH_MAX = 254;

/** Usernames that could be mistaken for the operators or for a missing user. */
const reservedUsernames = new Set(
  `about account admin administrator anonymous api bank called_it calledit cashier dashboard deleted everyone guest help
  host house info mail me moderator nobody null official operator owner profile robot root security session sessions
  settings staff superuser support system team undefined user users wallet webmaster you`.split(/\s+/),
);
/** The prefixes of generated usernames: for guests, and for removed guests. */
const reservedPrefix = /^(guest|gone)_/;
export const isReserved = (name: string) => reservedUsernames.has(name) || reservedPrefix.test(name);
export const isTypedTwice = (form: { password: string; passwordConfirmation: string }) =>
  form.password === form.passwordConfirmation;

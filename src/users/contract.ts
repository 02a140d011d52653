export const EMAIL_LENGTH_MAX = 254;

/** Names that would pass for us, or for nobody. */
const reservedUsernames = new Set(
  `about account admin administrator anonymous api bank called_it calledit cashier dashboard deleted everyone guest help
  host house info mail me moderator nobody null official operator owner profile robot root security session sessions
  settings staff superuser support system team undefined user users wallet webmaster you`.split(/\s+/),
);
/** How the names begin that we give ourselves: to guests, and to those who are gone. */
const reservedPrefix = /^(guest|gone)_/;
export const isReserved = (name: string) => reservedUsernames.has(name) || reservedPrefix.test(name);
export const isTypedTwice = (form: { password: string; passwordConfirmation: string }) =>
  form.password === form.passwordConfirmation;

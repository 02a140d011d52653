/** The texts of the page of access tokens. */
export const title = "Access tokens";
export const about =
  "A program that sends a token acts for you: a bot that resolves an action, a scoreboard that reads the leaders.";
export const reference = "How programs use them, in the API's reference";
export const list = "Your tokens";
export const none = "No token yet";
export const noneAbout = "Make one for each program, so that you can revoke one without stopping the others.";
export const endsIn = (hint: string) => `ends in ${hint}`;
export const used = "Made {made}, last used {used}, valid until {until}.";
export const unused = "Made {made}, never used, valid until {until}.";
export const revoke = "Revoke";
export const revokeTitle = (name: string) => `Revoke ${name}?`;
export const revokeAbout = "Programs that send it are refused at once. It cannot be made valid again.";
export const wasRevoked = "The token is revoked. It is refused from now on.";

export const make = "Make a token";
export const name = "Name";
export const nameHint = "What uses it. The audit log shows this name.";
export const scope = "It may";
export const scopeHint =
  "Read: what admins read, except for people and money. Run shows: also start sessions, close and resolve actions.";
export const validFor = "Valid for";
export const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

export const made = "Your new token";
export const madeAbout = "Copy it now, and keep it like a password. It is not shown again.";
export const secretOf = (tokenName: string) => `Token ${tokenName}`;

/** Which messages this device shows, and to whom. */
export type Remembered = { userId: number; sessionLive: boolean; results: boolean };

const WANTED_KEY = "push";
const CONFIRMED_KEY = "push-confirmed";
const FORMAT = /^(\d+) ([01])([01])$/;

// The server has the truth. This is what the device needs to notice that the server's part has ended, or that another player has
// signed in. Without storage nothing is noticed, and the settings show what is.

/** What the device was last set to; null if it shows no messages. */
export function recallWanted(): Remembered | null {
  const [, userId, sessionLive, results] = FORMAT.exec(read(() => localStorage, WANTED_KEY) ?? "") ?? [];
  if (userId === undefined) return null;
  return { userId: Number(userId), sessionLive: sessionLive === "1", results: results === "1" };
}

/** @param wanted null: it shows no messages any more. */
export function rememberWanted(wanted: Remembered | null): void {
  const flag = (isOn: boolean) => (isOn ? "1" : "0");
  const text = wanted === null ? null : `${wanted.userId} ${flag(wanted.sessionLive)}${flag(wanted.results)}`;
  write(() => localStorage, WANTED_KEY, text);
}

/** True if this tab has sent this sign-in to the server. */
export function isConfirmed(signIn: string): boolean {
  return read(() => sessionStorage, CONFIRMED_KEY) === signIn;
}

/** @param signIn null: the viewer is signed out, and the next sign-in has to be sent. */
export function rememberConfirmed(signIn: string | null): void {
  write(() => sessionStorage, CONFIRMED_KEY, signIn);
}

/** Null where storage is switched off. */
function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Storage is switched off or full.
  }
}

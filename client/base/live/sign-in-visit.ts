import { readStored, store } from "#client/base/browser/storage.ts";
import { isBigScreen } from "#client/base/page/guard.ts";

const VISITED = "visited-sign-in";
/** This tab ends its own sign-in. */
let leaving = false;

/** Ends this tab's own sign-in. Its caller leads to the next page, and the disconnection that follows must not. */
export async function endOwnSignIn<Ended>(end: () => Promise<Ended>): Promise<Ended> {
  leaving = true;
  try {
    return await end();
  } catch (error) {
    leaving = false;
    throw error;
  }
}

/** "Back" has restored this page: its sign-in is over, and nothing leads to another page. */
export function forgetOwnSignOut(): void {
  leaving = false;
}

/**
 * Leads this tab to the sign-in page, because the cable calls its user signed out, for example in another tab: the page must
 * not go on showing a name and a balance. It is replaced, so that "Back" does not show it again.
 * @returns true if the tab leaves this page; false if it has been led there since it was last connected. The server then takes
 *   its requests for signed in, and a second visit would lead to a third. False also where storage is switched off.
 */
export function visitSignIn(): boolean {
  if (leaving) return true;
  if (readStored(VISITED, "sessionStorage") !== null || !store(VISITED, "1", "sessionStorage")) return false;
  const { pathname, search } = globalThis.location;
  const here = pathname + search;
  // Nobody sits at a big screen who could sign in. Loaded again, it goes on as that of a signed-out viewer.
  // The sign-in page says what has happened.
  globalThis.location.replace(
    isBigScreen(here) ? here : `/users/sign_in?return_to=${encodeURIComponent(here)}&now=signed_out`,
  );
  return true;
}

/** The cable has accepted this tab's user: the next sign-out may lead to the sign-in page again. */
export function clearSignInVisit(): void {
  store(VISITED, null, "sessionStorage");
}

/** Ends the messages to this device, as the server has done with the sign-in. Its code is not part of the pages that sign out. */
export async function endSubscription(): Promise<void> {
  try {
    await (await import("./late-install.tsx")).unsubscribe();
  } catch {
    // The server sends nothing more in any case.
  }
}

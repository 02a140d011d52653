import { areSensesOn, SENSES_KEY } from "./senses.ts";

/**
 * Follows what the player has set for this device, in this tab and in others: the code of sounds and vibration is fetched only
 * where they are on, and a changed stream delay covers every tab.
 */
export function followDevice(): void {
  if (areSensesOn()) followSenses();
  window.addEventListener("storage", ({ key }) => {
    if (key === SENSES_KEY) followSenses();
    // The name of the cookie (src/http/contract.ts).
    if (key === "delay") location.reload();
  });
}

/** Starts or ends sounds and vibration, as they are set. */
export function followSenses(): void {
  // Without an answer the next page tries again.
  import("./feel.ts").then(({ feel }) => feel(areSensesOn())).catch(() => undefined);
}

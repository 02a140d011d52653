/** The texts of the offline page, of the install offer and of the messages to a device. */
export const installTexts = {
  offline: {
    title: "You are offline",
    heading: "You are offline.",
    say: "Your calls are safe.",
    more: "This page opens by itself as soon as there is a network.",
    retry: "Try again",
    trying: "Trying...",
    still: "Still offline.",
  },
  install: "Install app",
  /** For browsers of iOS, which install from their own menu only. */
  installByHand: "Tap Share, then Add to Home Screen.",
  push: {
    heading: "Notify me on this device",
    sessionLive: "When a session is live",
    results: "With my results",
    on: "On",
    off: "Off",
    /** Instead of a result, on a device with a stream delay. */
    withDelay: {
      title: "There is news in your session",
      body: "Open it to see what, with your stream delay.",
    },
    blocked:
      "Your browser blocks messages from this site. Allow them in the site's settings, beside the address, and open this list again.",
    notAsked: "Your browser did not allow messages. Nothing was switched on.",
    failed: "That did not work. Try again in a moment.",
    /** Browsers give a page without https no messages, and no installation. */
    needsHttps: "This address has no https, so this device can show no messages and install no app.",
    installFirst: "On an iPhone or iPad, install the app first: tap Share, then Add to Home Screen.",
  },
} as const;

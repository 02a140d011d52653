/** The texts about the stream delay, for players. */
export const delayTexts = {
  heading: "Catching up with your delay",
  startsIn: (left: string) => `Starts in ${left}`,
  why: (seconds: number) =>
    `You watch ${seconds} s behind the show, so this page tells everything ${seconds} s later. Until then it could tell you too much.`,
  turnOff: "Turn the delay off",
  catchingUp: (left: string) => `Catching up with your delay: shows in ${left}`,
  closing: (left: string, seconds: number) => `Calls really close in ${left} (your delay is ${seconds} s).`,
  closed: (seconds: number) => `Calls have really closed (your delay is ${seconds} s).`,
} as const;

/** Ids in the notice that the server writes before a page (src/pages/ssr/stream-delay.ts). */
export const WAIT_ID = "catching-up";
export const WAIT_LEFT_ID = "catching-up-left";
export const WAIT_OFF_ID = "catching-up-off";

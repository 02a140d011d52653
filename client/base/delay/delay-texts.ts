export const delayTexts = {
  heading: "Catching up with your delay",
  startsIn: (left: string) => `Starts in ${left}`,
  why: (seconds: number) =>
    `You watch ${seconds} s behind the show, so this page tells everything ${seconds} s later. Until then it could tell you too much.`,
  turnOff: "Turn the delay off",
} as const;

/** Ids in the notice that the server writes before a page (src/pages/ssr/document.ts). */
export const WAIT_ID = "catching-up";
export const WAIT_LEFT_ID = "catching-up-left";
export const WAIT_OFF_ID = "catching-up-off";

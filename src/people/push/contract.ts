/** How many browsers of a player get messages. One more replaces the one that has not been there for the longest time. */
export const PUSH_SUBSCRIPTIONS_MAX = 10;
export const ENDPOINT_LENGTH_MAX = 1_000;

/** The whole message: a service worker that had to ask for more could not while its sign-in has expired. */
export type PushMessage = {
  title: string;
  body: string;
  /** A path in this app to open. */
  url: string;
  /** A message replaces the shown one with the same tag. */
  tag: string;
};

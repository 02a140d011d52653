/**
 * What a page reads besides its viewer, which every page reads: the sign-in, the wallet, the newest notifications, and the offsets
 * of the streams.
 */
export type PageReads = {
  /** The session that the parameter `:slug` of the route's path names, by its slug or its id. */
  session?: true;
  /** Also the events of that session with the viewer's calls, its leaders and the viewer's score. */
  game?: true;
  /** The first page of the viewer's transactions, or of their calls in that session. */
  list?: "transactions" | "calls";
};

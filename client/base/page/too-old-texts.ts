/** What the page says in a browser that is too old for the app. */
export const TOO_OLD =
  "This browser is too old to play live. The page works without: load it again to see what is new.";

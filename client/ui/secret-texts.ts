/** The texts of a secret that is shown once. */
export const copy = "Copy";
export const copied = "Copied.";
export const copyFailed = "The browser did not copy it. It is marked: press Ctrl or Cmd and C.";

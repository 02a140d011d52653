/** The texts of parts that no first page has: lists, money fields, and forms that others may change meanwhile. */

// Event times
export const created = "created";
export const published = "published";

// Leave guard
export const leaveTitle = "Leave without saving?";
export const leaveWarning = "What you changed on this page is not saved yet.";
export const leave = "Leave";
export const stay = "Stay";

// Moment field
export const skippedTime = (meant: string) => `The clocks skip that time. It means ${meant}.`;

// Pagination
export const pages = "Pages";
export const first = "First";
export const prev = "Prev";
export const pageOf = (currentPage: number, totalPages: number) => `${currentPage} of ${totalPages}`;
export const next = "Next";
export const last = "Last";

// Typed dollars. Those about a field follow its label.
/** As the API says it. @param problems sentences without their points. */
export const validationFailed = (problems: readonly string[]) => `Validation failed: ${problems.join(", ")}`;
export const amountBlank = "can't be blank: type it like 12.50";
export const amountDecimals = "can have at most two digits after the point: type it like 12.50 or 1,250";
export const amountUnclear = "is not a number: type it like 12.50 or 1,250";
export const amountZero = "can't be 0";
export const amountTooSmall = (min: number) => `must be greater than or equal to ${min}`;
export const amountTooLarge = (max: number) => `must be less than or equal to ${max}`;

// Base version
export const isEmptyNow = "is empty now";
export const isNow = (current: string) => `is now “${current}”`;
export const staleHint =
  "Somebody changed this meanwhile. The current value is beside what you typed; save again to replace it.";

// A secret that is shown once
export const copy = "Copy";
export const copied = "Copied.";
export const copyFailed = "The browser did not copy it. It is marked: press Ctrl or Cmd and C.";

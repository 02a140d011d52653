import { accountKinds } from "./accounts.ts";

/** What the table of totals counts: users, and the accounts of each kind. */
export const totalNames = ["users", ...accountKinds] as const;

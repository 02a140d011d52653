import { End } from "./end.tsx";

/** The end of a session; see end-of-session.tsx. */
export const endParts = { End };

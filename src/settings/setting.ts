import type * as v from "valibot";

/** One setting. `must`, `fallback` and `about` are texts: for the error that names it, and for the table in deploy/settings.md. */
export type Setting = {
  /** A variable that is unset, or set to "", takes the schema's default. */
  schema: v.GenericSchema<string | undefined, unknown>;
  /** Completes the sentence "PORT must be ...". */
  must: string;
  /** What applies if it is not set. The same as the schema's default where there is one. */
  fallback: string;
  about: string;
};

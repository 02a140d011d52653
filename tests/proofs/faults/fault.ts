import type { Part } from "#src/operate/checks/contract.ts";
import type { WholeProduct } from "./whole-product.ts";

/** Something that goes wrong, and its cure. */
export type Fault = {
  name: string;
  begin: (product: WholeProduct) => unknown;
  end: (product: WholeProduct) => unknown;
  /** The part that is reported, and the words of its line in the log. */
  part: Part;
  said: RegExp;
  /** The alert that it fires. */
  alert: string;
  /** What has waited is done. Left out: nothing has waited. */
  caughtUp?: (product: WholeProduct) => Promise<boolean> | boolean;
  /** Nobody can read the home meanwhile. */
  withoutHome?: boolean;
};

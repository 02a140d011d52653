import type { Deps } from "#src/base/deps.ts";
import type { Part } from "#src/operate/operations/contract.ts";

/** One part that a process checks. */
export type ReadinessCheck = {
  /** As /ready and called_it_degraded name it. */
  part: Part;
  /** True: without this part nothing can be served, so the process is not ready. False: it serves, and is degraded. */
  needed: boolean;
  /** True: it is about the product, and every process sees the same. False: it is about this process. */
  shared: boolean;
  /** It costs statements, so one process looks at it for all, again and again. /ready looks at it wherever it is asked. */
  byOne?: true;
  /** What it means, and what an operator does about it. */
  cure: string;
  /** The state of a part whose check fails or takes too long. */
  silent: string;
  /** What is wrong with this part follows from what is wrong with one of these, so that one is to be cured. */
  follows?: readonly Part[];
  /** Another part of the program writes it to the log. */
  logged?: boolean;
  /**
   * The state in one word: "ok", "unknown" where it cannot be known, or what is wrong. `detail`: what observers read about it. `cure`: of
   * this very state.
   */
  check: (deps: Deps) => Promise<string | { state: string; detail: string; cure?: string }>;
};

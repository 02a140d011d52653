import type { Deps } from "#src/base/deps.ts";

/** Has a worker draw the picture of a link. Nobody waits for it: without a worker the first who asks for the picture draws it. */
export function orderPicture({ queues, log }: Pick<Deps, "queues" | "log">, shareId: number): void {
  queues.drawPicture({ shareId }).catch((error: unknown) => {
    log.warn(
      { err: error, shareId },
      "the picture of a link could not be ordered; the first reader draws it",
    );
  });
}

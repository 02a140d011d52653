/** A page that nobody sees is not painted. */
const AT_THE_LATEST_MS = 100;

/** Waits until the browser has shown what was changed. What follows then delays no answer to a touch or a key. */
export async function afterPaint(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, AT_THE_LATEST_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

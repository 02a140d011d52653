import type Sharp from "sharp";

let loading: Promise<typeof Sharp> | undefined;

/** The image library. Most processes never need it, so it is loaded by the first picture. */
export function loadSharp(): Promise<typeof Sharp> {
  loading ??= load();
  return loading;
}

async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import("sharp");
  // Pictures come one at a time and never twice: memory is worth more than speed.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

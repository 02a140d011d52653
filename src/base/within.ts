/** Waits for work, at most so long. @returns what the work does, or what `late` does after that time. */
export async function within<Done, Late>(
  ms: number,
  work: Promise<Done>,
  late: () => Promise<Late>,
): Promise<Done | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(() => resolve(late()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

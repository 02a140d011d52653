const ANSWER_WITHIN_MS = 1_500;

/** What is read; null if that fails or takes too long: that part is away. */
export async function inTime<Answer>(reading: Promise<Answer>): Promise<Answer | null> {
  const answered = reading.catch(() => null);
  return Promise.race([answered, Bun.sleep(ANSWER_WITHIN_MS).then(() => null)]);
}

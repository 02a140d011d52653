const ANSWER_WITHIN_MS = 5_000;

export async function isAnswered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return (await fetch("/up", { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}

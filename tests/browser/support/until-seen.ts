import { expect, type Locator } from "playwright/test";

const SEEN_WITHIN_MS = 3_000;

/** Acts until what it brings is seen: a phone shows it for a few seconds only, which may pass on a busy machine before the look. */
export async function untilSeen(act: () => Promise<void>, seen: Locator): Promise<void> {
  await expect(async () => {
    await act();
    await expect(seen).toBeVisible({ timeout: SEEN_WITHIN_MS });
  }).toPass();
}

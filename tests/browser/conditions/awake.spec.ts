import { expect } from "playwright/test";
import { test } from "../support/journey.ts";
import { play } from "../support/one-phone-show.ts";

test("a phone stays awake while a question is open, and not afterwards", async ({ browser }) => {
  const { page, show } = await play(browser);
  await page.addInitScript(() => {
    const held = new Set<object>();
    const request = () => {
      const lock = { release: () => Promise.resolve(void held.delete(lock)) };
      held.add(lock);
      return Promise.resolve(lock);
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
    Object.defineProperty(globalThis, "locksHeld", { value: () => held.size });
  });
  await page.reload();
  const isAwake = () => page.evaluate("locksHeld() > 0");
  await page.mouse.wheel(0, 1);
  await expect.poll(isAwake).toBe(true);
  await show.host("PUT", `/api/v1/sessions/${show.open.sessionId}/pause`);
  await expect.poll(isAwake).toBe(false);
  await show.host("PUT", `/api/v1/sessions/${show.open.sessionId}/resume`);
  await expect.poll(isAwake).toBe(true);
  await show.host("PATCH", `/api/v1/events/${show.open.id}/state`, { event: { state_event: "close_event" } });
  await expect.poll(isAwake).toBe(false);
});

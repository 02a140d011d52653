import type { Page } from "playwright/test";

/** A moment as the field of a local time takes it, in the page's time zone. */
export function localTime(page: Page, moment: Date): Promise<string> {
  return page.evaluate((at) => {
    const date = new Date(at);
    const two = (value: number) => String(value).padStart(2, "0");
    const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
    return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
  }, moment.getTime());
}

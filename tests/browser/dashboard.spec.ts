import { createQueues, type Queues } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import { desk, signedIn, signedInByForm } from "./players.ts";
import { expectSound } from "./support/accessibility.ts";
import { PROOF, type Page, expect, productUrl, test } from "./support/journey.ts";
import { findProduct } from "./support/product.ts";

const BOARD = "/admin/queues";

test(
  "an admin finds a failed job and retries it, and it runs; an operator sees it and cannot; a player sees nothing",
  { tag: PROOF },
  async () => {
    const { queues, disconnect } = openQueues();
    const job = await queues.byName.transitions.add("close_event", {
      eventId: "the one with the broken name",
    });
    const state = () => job.getState();
    await expect.poll(state).toBe("failed");

    const ana = await signedIn("ana");
    expect((await ana.goto(BOARD))?.status()).toBe(404);

    const operator = await signedInByForm("operator", { viewport: desk });
    await operator.getByRole("button", { name: "Menu", exact: true }).click();
    await operator.getByRole("link", { name: "Queues" }).click();
    await expect(operator).toHaveURL(new RegExp(BOARD));
    const operatorsComplaints = complaintsOf(operator);
    await expectSoundWithTrouble(operator);
    await operator.goto(`${BOARD}/queue/Event%20timers`);
    await expect(operator.getByText("Completed / min")).toBeVisible();
    await openJob(operator, job.id);
    await expect(operator.getByText("Invalid type").first()).toBeVisible();
    await expect(retryButton(operator)).toHaveCount(0);
    expect(operatorsComplaints).toEqual([]);
    expect(await retryByHand(operator, job.id)).toBe(422);
    expect(await state()).toBe("failed");

    // Repairs the job: an event that does not exist has nothing to close.
    await job.updateData({ eventId: 999_999_999, transition: "close_event", version: 0 });
    const admin = await signedIn("admin", { viewport: desk });
    const adminsComplaints = complaintsOf(admin);
    await openJob(admin, job.id);
    await expect(retryButton(admin)).toHaveCount(0);
    const home = admin.locator("main").getByRole("link", { name: "Operations" });
    await expect(home).toHaveAttribute("href", "/admin#queue-transitions");
    await admin.goto("/admin");
    await admin.getByRole("button", { name: /^Retry ?: Event timers$/ }).click();
    await expect.poll(state).toBe("completed");
    expect(adminsComplaints).toEqual([]);

    await job.remove();
    await disconnect();
  },
);

/** The operators' home with the failed job and a late timer, in both themes. The timer is put into the answer: a running product has none. */
async function expectSoundWithTrouble(page: Page): Promise<void> {
  await page.route("**/api/v1/operations", async (route) => {
    const response = await route.fetch();
    const answer: { operations: { lateTimers: unknown[] } } = await response.json();
    const event = { id: 1, title: "Rain before ten?", sessionSlug: "derby" };
    const dueAt = new Date(Date.now() - 5_000).toISOString();
    answer.operations.lateTimers.push({ event, transition: "close_event", dueAt, lateMs: 5_000 });
    // The page asks again every few seconds, and gives up a question that takes too long.
    await route.fulfill({ response, json: answer }).catch(() => undefined);
  });
  await page.goto("/admin");
  await expect(page.getByText("Close of “Rain before ten?”, 5 s late")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Event timers: ?\d+ failed$/ })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectSound(page);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** The queues of the product that this run visits. */
function openQueues(): { queues: Queues; disconnect: () => Promise<void> } {
  const product = findProduct();
  if (product === null) throw new Error("There is no product to visit.");
  const redis = connectRedis(product.redisUrl, "worker");
  const queues = createQueues(redis);
  return {
    queues,
    disconnect: async () => {
      await queues.close();
      redis.disconnect();
    },
  };
}

async function openJob(page: Page, jobId: string | undefined): Promise<void> {
  await page.goto(`${BOARD}/queue/Event%20timers/${jobId}?status=failed`);
  await expect(page.getByText(`#${jobId}`, { exact: true })).toBeVisible();
}

/** The job's buttons: Bull Board names them by tooltips alone. */
function retryButton(page: Page) {
  return page.locator("main li").getByRole("button");
}

/** Requests an action that the dashboard does not offer. @returns the status. */
function retryByHand(page: Page, jobId: string | undefined): Promise<number> {
  const path = `${BOARD}/api/queues/Event%20timers/${jobId}/retry`;
  return page.evaluate(async (asked) => (await fetch(asked, { method: "PUT" })).status, path);
}

/** Collects errors of the browser, and requests to other hosts. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  const { origin } = new URL(productUrl());
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`);
  });
  return complaints;
}

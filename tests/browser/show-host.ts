import { type APIResponse, type BrowserContext, expect, type Locator, type Page } from "playwright/test";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { AuditAnswer, AuditLineView, SessionView } from "#src/show/sessions/schemas.ts";
import { newRequests, productUrl } from "./support/journey.ts";

const PAGE_MAX = 100;
const GRIP_STEPS = 8;
const SERVED_WITHIN_MS = 60_000;
const STEP_WITHIN_MS = 5_000;
/** Far longer than a show takes on a busy machine. */
const UNTIL_THE_HOST_ACTS_S = 1_800;

/** Calls the API as the user of a browser context, again where the server says that it could not serve the request now. */
export type Api = <Answer>(method: string, path: string, data?: unknown) => Promise<Answer>;

export function apiOf(context: Pick<BrowserContext, "request">, origin = productUrl()): Api {
  let token = "";
  const send = async (method: string, path: string, data?: unknown) => {
    const response = await context.request.fetch(new URL(path, origin).href, {
      method,
      headers: { accept: "application/json", origin: new URL(origin).origin, "x-csrf-token": token },
      ...(data === undefined ? {} : { data }),
    });
    token = response.headers()["x-csrf-token"] ?? token;
    return response;
  };
  return async <Answer>(method: string, path: string, data?: unknown) => {
    // Every answer has the token, also a 401.
    if (token === "") await send("GET", "/api/v1/users/me");
    let response = await send(method, path, data);
    await expect(async () => {
      if (await passes(response)) response = await send(method, path, data);
      expect(await passes(response), `${method} ${path}`).toBe(false);
    }).toPass({ timeout: SERVED_WITHIN_MS });
    expect(response.status(), `${method} ${path}`).toBeLessThan(300);
    const answer: Answer = response.status() === 204 ? null : await response.json();
    return answer;
  };
}

/** True where the server has waited in vain for a lock or a connection: nothing has happened, and it asks to try again. */
async function passes(response: APIResponse): Promise<boolean> {
  const status = response.status();
  return status === 503 || (status === 409 && (await response.text()).includes("Try again."));
}

/** The API of somebody without a browser. */
export async function newApi(origin?: string): Promise<Api> {
  return apiOf({ request: await newRequests() }, origin);
}

/** The same of a new guest. */
export async function newGuest(origin?: string): Promise<Api> {
  const api = await newApi(origin);
  await api("POST", "/users/guest");
  return api;
}

/**
 * Plans a blueprint's events so that the whole show takes less than a minute: all open and resolve by themselves, several at a
 * time, except the given ones. The last one waits until its host skips the one before it.
 * @param byHand positions of events that stay open until their host ends them.
 */
export async function planShow(api: Api, blueprint: BlueprintView, byHand: readonly number[]): Promise<void> {
  const defaults = { lead_seconds: 2, settlement_delay_seconds: 0 };
  await api("PATCH", `/api/v1/blueprints/${blueprint.id}`, { blueprint: { defaults } });
  for (const { id, position } of blueprint.blueprintEvents) {
    const isLast = position === blueprint.blueprintEvents.length;
    const isByHand = byHand.includes(position);
    await api("PATCH", `/api/v1/blueprint_events/${id}`, {
      blueprint_event: {
        start_mode: "offset",
        offset_seconds: 4 + Math.floor(position * 0.8) + (isLast ? UNTIL_THE_HOST_ACTS_S : 0),
        duration_seconds: isByHand ? UNTIL_THE_HOST_ACTS_S : 5,
        resolve_within_seconds: 1,
        auto_result: isByHand ? null : "random",
      },
    });
  }
}

/** All events of a session, in their order. */
export async function eventsIn(api: Api, { slug }: Pick<SessionView, "slug">): Promise<EventView[]> {
  return (await api<{ events: EventView[] }>("GET", `/api/v1/sessions/${slug}/events?per_page=${PAGE_MAX}`))
    .events;
}

/** All lines of a session's audit, newest first. */
export async function auditOf(api: Api, { slug }: Pick<SessionView, "slug">): Promise<AuditLineView[]> {
  const lines: AuditLineView[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/api/v1/sessions/${slug}/audit?per_page=${PAGE_MAX}&page=${page}`;
    const { audit, meta } = await api<AuditAnswer>("GET", path);
    lines.push(...audit);
    if (page >= meta.totalPages) return lines;
  }
}

/** Drags a row by its grip onto another row. */
async function dragTo(page: Page, grip: Locator, target: Locator): Promise<void> {
  await grip.scrollIntoViewIfNeeded();
  const [from, to] = [await grip.boundingBox(), await target.boundingBox()];
  if (from === null || to === null) throw new Error("The grip or the target is not visible.");
  const x = from.x + from.width / 2;
  await page.mouse.move(x, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(x, to.y + to.height * 0.75, { steps: GRIP_STEPS });
  await page.mouse.up();
}

type Move = { question: number; target: number; position: number };

/** Drags a question onto another one until it has that position: on a busy machine the page may move under the pointer. */
export async function moveOnto(host: Page, { question, target, position }: Move): Promise<void> {
  const grip = (at: string, text: number) =>
    host.getByRole("button", { name: new RegExp(`^Move action ${at}, Question ${text}\\?$`) });
  const moved = grip(String(position), question);
  await expect(async () => {
    if (!(await moved.isVisible())) await dragTo(host, grip("\\d+", question), grip("\\d+", target));
    await expect(moved).toBeVisible({ timeout: STEP_WITHIN_MS });
  }).toPass();
}

/** Starts the session of an open control room: its checklist asks once. */
export async function startShow(host: Page): Promise<void> {
  await host.getByRole("button", { name: "Start", exact: true }).click();
  await host.getByRole("button", { name: "Start the show" }).click();
}

/** Unfolds and fills the reason's field of what is armed. */
export async function giveReason(host: Page, reason: string): Promise<void> {
  const slot = host.getByRole("region", { name: "Resolve", exact: true });
  await slot.locator("details").evaluate((details: HTMLDetailsElement) => {
    details.open = true;
  });
  await slot.getByRole("textbox", { name: /^Reason/ }).fill(reason);
}

/** Shows a question of the run of show on the stage. */
export async function choose(host: Page, question: number): Promise<void> {
  await host.getByRole("link", { name: `Question ${question}?`, exact: true }).click();
  await expect(host.getByRole("heading", { name: `Question ${question}?` })).toBeVisible();
}

import { type RefObject, useEffect, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventPreview, EventView } from "#src/show/events/schemas.ts";
import { verdictIn } from "./verdict-fields.ts";

/** While the event takes calls the preview is fetched again this often. */
const WHILE_OPEN_MS = 1_000;

type Previewed = { event: EventView; result: EventResult };

/**
 * The server's preview of a result: fetched at once, again with every change in its form and of the event, and while it takes
 * calls. Null until the first answer has arrived.
 * @param inside an element inside the form.
 */
export function usePreview(
  inside: RefObject<HTMLElement | null>,
  { event: { id, version, state }, result }: Previewed,
): EventPreview | null {
  const api = useApi();
  const [preview, setPreview] = useState<EventPreview | null>(null);
  const isOpen = state === "open";
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (form == null) return;
    let fetching = new AbortController();
    const load = async () => {
      fetching.abort();
      fetching = new AbortController();
      const { signal } = fetching;
      const loaded = await fetchPreview(api, { eventId: id, result, form, signal });
      if (!signal.aborted) setPreview(loaded);
    };
    void load();
    const onChange = () => void load();
    form.addEventListener("change", onChange);
    const timer = isOpen ? setInterval(onChange, WHILE_OPEN_MS) : undefined;
    return () => {
      fetching.abort();
      clearInterval(timer);
      form.removeEventListener("change", onChange);
    };
  }, [api, inside, id, result, version, isOpen]);
  return preview;
}

type PreviewRequest = { eventId: number; result: EventResult; form: HTMLFormElement; signal: AbortSignal };

/** Returns null on an error: a sentence is shown instead. */
async function fetchPreview(
  api: Api,
  { eventId, result, form, signal }: PreviewRequest,
): Promise<EventPreview | null> {
  const { effectiveAt } = verdictIn(new FormData(form));
  try {
    const path = `/api/v1/events/${eventId}/preview` as const;
    const answer = await api.get(path, {
      query: { result, effectiveAt: effectiveAt === null ? "none" : effectiveAt || undefined },
      signal,
    });
    return answer.preview;
  } catch {
    return null;
  }
}

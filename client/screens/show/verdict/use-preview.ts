import { type RefObject, useEffect, useRef, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { useApi } from "#client/base/page/context.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventPreview, EventView } from "#src/show/events/schemas.ts";
import { verdictIn } from "./verdict-fields.ts";

type Previewed = { event: EventView; result: EventResult };

/**
 * The server's preview of a result: fetched at once, again with every change in its form and of the event, and with each message
 * about its calls. Null until the first answer has arrived.
 * @param inside an element inside the form.
 */
export function usePreview(
  inside: RefObject<HTMLElement | null>,
  { event: { id, version, callsCount, pool }, result }: Previewed,
): EventPreview | null {
  const api = useApi();
  const [preview, setPreview] = useState<EventPreview | null>(null);
  const load = useRef<(() => void) | null>(null);
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (form == null) return;
    const left = new AbortController();
    const { signal } = left;
    // While calls come in, one question follows the other: an aborted one would never be answered.
    load.current = singleFlight(signal, async () => {
      const loaded = await fetchPreview(api, { eventId: id, result, form, signal });
      if (!signal.aborted) setPreview(loaded);
    });
    form.addEventListener("change", load.current, { signal });
    return () => left.abort();
  }, [api, inside, id, result]);
  const { totalCents } = pool;
  useEffect(() => load.current?.(), [load, id, result, version, callsCount, totalCents]);
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

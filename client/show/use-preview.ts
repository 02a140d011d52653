import { type RefObject, useEffect, useState } from "react";
import type { EventResult } from "#db/lists/events.ts";
import type { EventPreview } from "#src/events/schemas.ts";
import type { Api } from "../api.ts";
import { useApi } from "../context.ts";
import { verdictIn } from "./verdict-fields.ts";

type PreviewRequest = { eventId: number; result: EventResult };

/**
 * The server's preview of a result: fetched when the dialog opens, and again with every change in its form. Null until the
 * answer has arrived.
 * @param inside an element inside the dialog's form.
 */
export function usePreview(
  inside: RefObject<HTMLElement | null>,
  { eventId, result }: PreviewRequest,
): EventPreview | null {
  const api = useApi();
  const [preview, setPreview] = useState<EventPreview | null>(null);
  useEffect(() => {
    const form = inside.current?.closest("form");
    const dialog = inside.current?.closest("dialog");
    if (form == null || dialog == null) return;
    let fetching = new AbortController();
    const load = async () => {
      fetching.abort();
      fetching = new AbortController();
      const { signal } = fetching;
      const loaded = await fetchPreview(api, { eventId, result, form, signal });
      if (!signal.aborted) setPreview(loaded);
    };
    const onToggle = () => {
      setPreview(null);
      if (dialog.open) void load();
    };
    const onChange = () => void load();
    dialog.addEventListener("toggle", onToggle);
    form.addEventListener("change", onChange);
    return () => {
      fetching.abort();
      dialog.removeEventListener("toggle", onToggle);
      form.removeEventListener("change", onChange);
    };
  }, [api, inside, eventId, result]);
  return preview;
}

/** Returns null on an error: the dialog then shows a sentence instead. */
async function fetchPreview(
  api: Api,
  { eventId, result, form, signal }: PreviewRequest & { form: HTMLFormElement; signal: AbortSignal },
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

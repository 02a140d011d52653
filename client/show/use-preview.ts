import { type RefObject, useEffect, useState } from "react";
import type { EventPreview } from "#src/events/schemas.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import type { Api } from "../api.ts";
import { useApi } from "../context.ts";
import { verdictIn } from "./verdict-fields.ts";

type Asked = { eventId: number; result: EventResult };

/**
 * What a result would move, as the server reckons it: asked when the question opens, and again with every change in it.
 * Null until the answer is there.
 * @param inside something in the form of the question.
 */
export function usePreview(
  inside: RefObject<HTMLElement | null>,
  { eventId, result }: Asked,
): EventPreview | null {
  const api = useApi();
  const [preview, setPreview] = useState<EventPreview | null>(null);
  useEffect(() => {
    const form = inside.current?.closest("form");
    const dialog = inside.current?.closest("dialog");
    if (form == null || dialog == null) return;
    let asking = new AbortController();
    const ask = async () => {
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      const found = await askPreview(api, { eventId, result, form, signal });
      if (!signal.aborted) setPreview(found);
    };
    const onToggle = () => {
      setPreview(null);
      if (dialog.open) void ask();
    };
    const onChange = () => void ask();
    dialog.addEventListener("toggle", onToggle);
    form.addEventListener("change", onChange);
    return () => {
      asking.abort();
      dialog.removeEventListener("toggle", onToggle);
      form.removeEventListener("change", onChange);
    };
  }, [api, inside, eventId, result]);
  return preview;
}

/** Without an answer there is no preview: the question says in words what happens. */
async function askPreview(
  api: Api,
  { eventId, result, form, signal }: Asked & { form: HTMLFormElement; signal: AbortSignal },
): Promise<EventPreview | null> {
  const { effectiveAt } = verdictIn(new FormData(form));
  try {
    const path = `/api/v1/events/${eventId}/preview` as const;
    const answer = await api.get(path, {
      query: { result, effectiveAt: effectiveAt === "" ? undefined : effectiveAt },
      signal,
    });
    return answer.preview;
  } catch {
    return null;
  }
}

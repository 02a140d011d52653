import { useCallback, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { ApiError } from "../api.ts";
import { useApi } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { troubleText } from "../refused-in-form.ts";
import { isTrouble, refusalText } from "../refused.ts";
import { performAct } from "./perform-act.ts";

const UNAUTHENTICATED = 401;

export type Acting = {
  /** What is on its way: see `wayOf`. */
  busy: ReadonlySet<string>;
  /** Why the last one did not stand; it goes with the next. */
  refusal: string | null;
  /** Does what a form asks for. The same wish is not sent again while it is on its way. True once it is done. */
  act: (form: FormData) => Promise<boolean>;
};

/** Sends the forms of the Admin tab while the page stays as it is, and looks at the show again afterwards. */
export function useActing(slug: string, lookAgain: () => void): Acting {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<string | null>(null);
  const underWay = useRef(new Set<string>());
  const act = useCallback(
    async (form: FormData) => {
      const way = wayOf(form);
      if (underWay.current.has(way)) return false;
      underWay.current.add(way);
      setBusy(new Set(underWay.current));
      setRefusal(null);
      try {
        await performAct({ api, slug, form });
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.status === UNAUTHENTICATED) await revalidate();
        setRefusal(reasonOf(error));
        return false;
      } finally {
        underWay.current.delete(way);
        setBusy(new Set(underWay.current));
        lookAgain();
      }
    },
    [api, slug, lookAgain, revalidate],
  );
  return { busy, refusal, act };
}

/** What tells one wish from another: the intent, and what it is about. */
function wayOf(form: FormData): string {
  return keyOf(textIn(form, "intent"), textIn(form, "event_id"));
}

/** The same for a button: is its wish on its way? */
export function keyOf(intent: string, eventId: number | string): string {
  return `${intent}:${eventId}`;
}

function reasonOf(error: unknown): string {
  if (isTrouble(error)) return troubleText(error);
  if (error instanceof ApiError) return refusalText(error);
  return "That did not work. Look whether it was done, then try again.";
}

import { useCallback, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { troubleText } from "#client/ui/forms/refused-in-form.ts";
import { isTrouble, refusalText } from "#client/ui/forms/refused.ts";
import { keepUpWith, type OwnVersions, rememberVersion } from "./own-versions.ts";
import { performAct } from "./perform-act.ts";
import * as texts from "./texts/form-texts.ts";

const UNAUTHENTICATED = 401;
const STALE_VERSION = "stale_version";

export type Acting = {
  /** Keys of the acts that are being sent; see `keyOf`. */
  busy: ReadonlySet<string>;
  /** Why the last act was refused; cleared by the next one. */
  refusal: string | null;
  /** Performs the act of a form. An act that is being sent is not sent twice. Resolves to true on success. */
  act: (form: FormData) => Promise<boolean>;
};

/** Sends the forms of the Admin tab without leaving the page, and fetches the show again afterwards. */
export function useActing(slug: string, refetch: () => void): Acting {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<string | null>(null);
  const sending = useRef(new Set<string>());
  const ownVersions = useRef<OwnVersions>(new Map());
  const act = useCallback(
    async (form: FormData) => {
      const key = keyOfForm(form);
      if (sending.current.has(key)) return false;
      sending.current.add(key);
      setBusy(new Set(sending.current));
      setRefusal(null);
      try {
        keepUpWith(ownVersions.current, form);
        rememberVersion(ownVersions.current, form, await performAct({ api, slug, form }));
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.status === UNAUTHENTICATED) await revalidate();
        setRefusal(refusalOf(error));
        return false;
      } finally {
        sending.current.delete(key);
        setBusy(new Set(sending.current));
        refetch();
      }
    },
    [api, slug, refetch, revalidate],
  );
  return { busy, refusal, act };
}

function keyOfForm(form: FormData): string {
  const { intent, eventId } = readForm(form, { intent: "text", eventId: "text" });
  return keyOf(intent, eventId);
}

/** Identifies an act by its intent and its event; "" for acts on the session. */
export function keyOf(intent: string, eventId: number | string): string {
  return `${intent}:${eventId}`;
}

function refusalOf(error: unknown): string {
  if (isTrouble(error)) return troubleText(error);
  if (error instanceof ApiError && error.body?.code === STALE_VERSION) return texts.changedMeanwhile;
  if (error instanceof ApiError) return refusalText(error);
  return texts.actFailed;
}

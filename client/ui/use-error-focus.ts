import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes the reader to what is wrong: the first field of the form that is marked so, else the message that stands above.
 * @param refusal what the action answered; each new one moves the focus once.
 * @returns belongs on the form, or on whatever holds it and its message.
 */
export function useErrorFocus<Holder extends HTMLElement>(refusal: unknown): RefObject<Holder | null> {
  const holder = useRef<Holder>(null);
  useEffect(() => {
    if (refusal === undefined || refusal === null) return;
    const first =
      holder.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      holder.current?.querySelector<HTMLElement>('[role="alert"]');
    first?.focus();
  }, [refusal]);
  return holder;
}

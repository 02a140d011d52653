import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to the error: the form's first invalid field, else the message above the form.
 * @param refusal the action's answer. Each new refusal moves the focus once.
 * @returns a ref for the form, or for an element that contains the form and its message.
 */
export function useErrorFocus<Container extends HTMLElement>(refusal: unknown): RefObject<Container | null> {
  const container = useRef<Container>(null);
  useEffect(() => {
    if (refusal === undefined || refusal === null) return;
    const first =
      container.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      container.current?.querySelector<HTMLElement>('[role="alert"]');
    first?.focus();
  }, [refusal]);
  return container;
}

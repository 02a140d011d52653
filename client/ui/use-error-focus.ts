import { type RefObject, useEffect, useRef } from "react";

/** Moves the focus to the error of each new refusal: the first invalid field, else the message. @returns a ref for both. */
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

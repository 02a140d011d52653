import { type InputEvent, type RefObject, useEffect, useRef, useState } from "react";

/**
 * Says whether a form holds something else than it started with.
 * @returns `form` and `onInput` belong on the form.
 */
export function useChanged(): {
  changed: boolean;
  form: RefObject<HTMLFormElement | null>;
  onInput: (event: InputEvent<HTMLFormElement>) => void;
} {
  const form = useRef<HTMLFormElement>(null);
  const first = useRef("");
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (form.current !== null) first.current = contentOf(form.current);
  }, []);
  const onInput = ({ currentTarget }: InputEvent<HTMLFormElement>) =>
    setChanged(contentOf(currentTarget) !== first.current);
  return { changed, form, onInput };
}

function contentOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)]);
}

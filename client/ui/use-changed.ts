import { type InputEvent, type RefObject, useEffect, useRef, useState } from "react";

/** Whether a form differs from its first content. @returns `form` and `onInput` are props of the form. */
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

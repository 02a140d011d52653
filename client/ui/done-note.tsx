import { useSearchParams } from "react-router";
import { Note } from "./note.tsx";

/** What a form did before this page was loaded again: the text for the word `done` of its address, if it is one of these. */
export function DoneNote({ texts }: { texts: Readonly<Record<string, string>> }) {
  const name = useSearchParams()[0].get("done");
  return name !== null && Object.hasOwn(texts, name) ? <Note tone="ok">{texts[name]}</Note> : null;
}

import { type ChangeEvent, type DragEvent, useState } from "react";
import { decodeBytes } from "#src/show/blueprints/plan-text/decode-bytes.ts";

const FILE_BYTES_MAX = 2_000_000;

/** Chooses a file with a plan. Without JavaScript its lines are pasted. */
export function FileChoice({ take }: { take: (file: File | null) => void }) {
  return (
    <label className="btn sm file-choice with-script">
      Choose a file, or drop it here
      <input
        className="vh"
        type="file"
        accept=".csv,.tsv,.txt,.json,.md,text/*,application/json"
        onChange={(event) => take(chosen(event))}
      />
    </label>
  );
}

/** Reads a chosen or dropped file into a field. @returns why it could not be read, and the handlers of its form. */
export function useDroppedFile(setText: (text: string) => void) {
  const [fault, setFault] = useState<string | null>(null);
  const take = (file: File | null) => {
    if (file === null) return;
    void readFile(file).then((read) => {
      setFault(read.fault);
      if (read.text !== null) setText(read.text);
    });
  };
  return {
    fault,
    take,
    dropping: { onDragOver: allowDrop, onDrop: (event: DragEvent) => take(dropped(event)) },
  };
}

async function readFile(file: File) {
  if (file.size > FILE_BYTES_MAX)
    return { text: null, fault: `${file.name} is too large. Paste its lines here instead.` };
  return decodeBytes(new Uint8Array(await file.arrayBuffer()));
}

function allowDrop(event: DragEvent): void {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
}

/** A dropped file. A dropped text is left to the field. */
function dropped(event: DragEvent): File | null {
  const file = event.dataTransfer.files.item(0);
  if (file !== null) event.preventDefault();
  return file;
}

/** The same file can be chosen again after it was corrected. */
function chosen({ currentTarget }: ChangeEvent<HTMLInputElement>): File | null {
  const file = currentTarget.files?.item(0) ?? null;
  currentTarget.value = "";
  return file;
}

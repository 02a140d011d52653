import { type ChangeEvent, type DragEvent, useRef, useState } from "react";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { useApi } from "#client/base/page/context.ts";
import * as texts from "#client/blueprints/paste-texts.ts";
import { Choice } from "#client/ui/choice.tsx";
import { Note } from "#client/ui/note.tsx";
import { PLAN_FILE_BYTES_MAX } from "#src/show/blueprints/contract.ts";
import type { PlanFile } from "#src/show/blueprints/schemas.ts";

/** A file as it was read: with other letters, or another sheet, it is read again. */
type Chosen = { file: File; read: PlanFile | null; fault: string | null; isReading: boolean };
type ChosenFile = { chosen: Chosen | null; take: (file: File | null, readAs?: string) => void };

/** Chooses a file with a plan, and how it is read. Without JavaScript its lines are pasted. */
export function FileChoice({ chosen, take }: ChosenFile) {
  const { file, read, isReading = false } = chosen ?? {};
  return (
    <div className="stack close with-script">
      <label className="btn sm file-choice">
        {isReading ? "Reading ..." : "Choose a file, or drop it here"}
        <input
          className="vh"
          type="file"
          accept=".xlsx,.ods,.csv,.tsv,.txt,.json,.md,text/*,application/json"
          onChange={(event) => take(chosenIn(event))}
        />
      </label>
      {file === undefined || read == null || read.choices.length === 0 ? null : (
        <Choice
          label={texts.readAs[read.kind].label}
          name="read_as"
          options={read.choices}
          value={read.readAs}
          onValue={(readAs) => take(file, readAs)}
          hint={texts.readAs[read.kind].hint}
        />
      )}
      {read?.leftOut.map((line) => (
        <Note key={line}>{line}</Note>
      ))}
    </div>
  );
}

/** Reads a chosen or dropped file into a field. @returns the file, why it could not be read, and the handlers of its form. */
export function usePlanFile(setText: (text: string) => void) {
  const api = useApi();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const latest = useRef(0);
  const take: ChosenFile["take"] = (file, readAs) => {
    if (file === null) return;
    latest.current += 1;
    const turn = latest.current;
    setChosen((before) => ({
      file,
      read: before?.file === file ? before.read : null,
      fault: null,
      isReading: true,
    }));
    void readFile(api, file, readAs).then(({ read, fault }) => {
      if (latest.current !== turn) return;
      setChosen({ file, read, fault, isReading: false });
      if (read !== null) setText(read.text);
    });
  };
  return {
    chosen,
    fault: chosen?.fault ?? null,
    take,
    dropping: { onDragOver: allowDrop, onDrop: (event: DragEvent) => take(dropped(event)) },
  };
}

type Outcome = Pick<Chosen, "read" | "fault">;

/** The server reads it: it knows workbooks, and the letters of every country. */
async function readFile(api: Api, file: File, readAs: string | undefined): Promise<Outcome> {
  if (file.size > PLAN_FILE_BYTES_MAX) return { read: null, fault: texts.tooLarge(file.name) };
  try {
    const body = { bytes: await base64Of(file), ...(readAs === undefined ? {} : { readAs }) };
    const { planFile } = await api.post("/api/v1/blueprints/read_file", { file: body });
    return { read: planFile, fault: null };
  } catch (error) {
    if (!(error instanceof ApiError)) return { read: null, fault: texts.notRead(file.name) };
    const [fault = error.message] = error.body?.errors?.["file"] ?? [];
    return { read: null, fault };
  }
}

function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.addEventListener("load", () => {
      const { result } = reader;
      resolve(typeof result === "string" ? result.slice(result.indexOf(",") + 1) : "");
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file cannot be read.")));
    reader.readAsDataURL(file);
  });
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
function chosenIn({ currentTarget }: ChangeEvent<HTMLInputElement>): File | null {
  const file = currentTarget.files?.item(0) ?? null;
  currentTarget.value = "";
  return file;
}

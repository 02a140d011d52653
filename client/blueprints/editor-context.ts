import { createContext, useContext } from "react";
import type { BlueprintEventView, BlueprintOptions, BlueprintView } from "#src/blueprints/schemas.ts";
import type { EditRefused } from "./change-blueprint.ts";
import type { EventFields } from "./event-fields.ts";
import type { Said } from "./said.ts";

/** What the editor's panels know. */
export type Editor = {
  blueprint: BlueprintView;
  options: BlueprintOptions;
  /** As they are saved, in the order of the page. */
  events: readonly BlueprintEventView[];
  panel: string;
  /** Why the last form did not stand; undefined where it did. */
  refused: EditRefused | undefined;
  said: { said: Said; text: string } | null;
  typed: ReadonlyMap<string, EventFields>;
  /** Those of `typed` that are not saved. */
  drafts: ReadonlyMap<string, EventFields>;
  type: (panel: string, fields: EventFields) => void;
  forget: (panel: string) => void;
  /** The version that the form of an event is based on; empty for a new one. */
  versionOf: (panel: string) => string;
};

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error("A panel was rendered outside the editor.");
  return editor;
}

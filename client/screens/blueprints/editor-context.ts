import { requiredContext } from "#client/base/page/required-context.ts";
import type { EventFields } from "#client/blueprints/event-fields.ts";
import type {
  BlueprintEventView,
  BlueprintOptions,
  BlueprintView,
  RemovalView,
} from "#src/show/blueprints/schemas.ts";
import type { EditRefused } from "./change-blueprint.ts";
import type { Notice } from "./notices.ts";

export type Editor = {
  blueprint: BlueprintView;
  options: BlueprintOptions;
  /** The saved events, in the order of the page. */
  events: readonly BlueprintEventView[];
  panel: string;
  chosen: ReadonlySet<number>;
  choose: (ids: ReadonlySet<number>) => void;
  /** What was removed lately from this blueprint, newest first. */
  removals: readonly RemovalView[];
  /** Why the last form was refused; undefined if it was not. */
  refused: EditRefused | undefined;
  notice: { name: Notice; text: string } | null;
  /** What was typed into the forms of events, by panel. */
  typed: ReadonlyMap<string, EventFields>;
  /** The entries of `typed` that differ from what is saved. */
  drafts: ReadonlyMap<string, EventFields>;
  type: (panel: string, fields: EventFields) => void;
  discard: (panel: string) => void;
  /** The version that the form of an event is based on; empty for a new event. */
  versionOf: (panel: string) => string;
};

export const [EditorContext, useEditor] = requiredContext<Editor>();

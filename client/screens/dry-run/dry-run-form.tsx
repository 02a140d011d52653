import { Form } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { dryRunDefaults, dryRunLimits as limits } from "#src/dry-runs/contract.ts";
import type { DryRunOptions } from "#src/dry-runs/schemas.ts";
import type { DryRunRefused } from "./act-on-dry-run.ts";
import * as texts from "./dry-run-texts.ts";

type DryRunFormProps = {
  isEmpty: boolean;
  refused: DryRunRefused | undefined;
  /** How the dry run on the page is played; the form begins with it. */
  last: DryRunOptions | undefined;
};

const fields = [
  {
    name: "players",
    label: texts.players,
    hint: texts.playersHint,
    min: limits.playersMin,
    max: limits.playersMax,
  },
  { name: "skew", label: texts.skew, hint: texts.skewHint, min: limits.skewMin, max: limits.skewMax },
  { name: "latencyMs", label: texts.latency, hint: texts.latencyHint, min: 0, max: limits.latencyMsMax },
  { name: "lateTaps", label: texts.lateTaps, hint: texts.lateTapsHint, min: 0, max: 100 },
  { name: "seed", label: texts.seed, hint: texts.seedHint, min: 0, max: limits.seedMax },
] as const;
/** As the API and the forms call them. */
const formNames = {
  players: "players",
  skew: "skew",
  latencyMs: "latency_ms",
  lateTaps: "late_taps",
  seed: "seed",
};

/** The settings of a new dry run. */
export function DryRunForm({ isEmpty, refused, last = dryRunDefaults }: DryRunFormProps) {
  const form = useErrorFocus<HTMLFormElement>(refused);
  return (
    <Form method="post" className="panel pad stack" id="dry-run" ref={form}>
      <h2 className="panel-title">{texts.settings}</h2>
      {refused === undefined ? null : <Note tone="bad">{refused.refusal}</Note>}
      <CsrfField />
      {fields.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          name={formNames[name]}
          type="number"
          inputMode="numeric"
          step={1}
          value={refused?.[name] ?? String(last[name])}
          errors={refused?.errors[name]}
        />
      ))}
      <div className="row">
        <Submit intent="start" disabledReason={isEmpty ? texts.noActionsReason : null}>
          {texts.start}
        </Submit>
      </div>
    </Form>
  );
}

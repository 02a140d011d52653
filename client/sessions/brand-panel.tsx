import { useState } from "react";
import { Form } from "react-router";
import { accentFormat, nearestAccent, SPONSOR_LENGTH_MAX } from "#src/show/brands/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { VERSION_FIELD } from "../ui/forms/base-version.ts";
import { ariaOf, Labelled } from "../ui/labelled.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { BrandBand } from "./brand-band.tsx";
import type { BrandFields } from "./brand-fields.ts";
import { brandTexts as texts } from "./brand-texts.ts";

type BrandPanelProps = {
  brand: Brand | undefined;
  /** What was typed in a form that was refused. */
  typed: BrandFields | undefined;
  /** As the API names them: "settings.brand.accent". */
  errors: FieldErrors;
  version: string | number;
  disabledReason?: string | null;
};

/** The form of a brand, with a preview. The whole page is sent, because a file goes with it: so it works without JavaScript too. */
export function BrandPanel({ brand = {}, typed, errors, version, disabledReason = null }: BrandPanelProps) {
  const { accent: saved = "", sponsor: savedLine = "", logo } = brand;
  const [accent, setAccent] = useState(typed?.accent ?? saved);
  const [sponsor, setSponsor] = useState(typed?.sponsor ?? savedLine);
  const nearest = nearestOf(accent);
  return (
    <Panel title={texts.title}>
      <Form className="body stack" method="post" encType="multipart/form-data" reloadDocument>
        <CsrfField />
        <input type="hidden" name="intent" value="brand" />
        <input type="hidden" name={VERSION_FIELD} value={version} />
        <p className="small ink2">{texts.about}</p>
        <Accent
          accent={accent}
          nearest={nearest === colorIn(accent) ? null : nearest}
          errors={errorsOf("accent", errors)}
          onAccent={setAccent}
        />
        <Field
          label={texts.sponsor}
          name="sponsor"
          optional
          maxLength={SPONSOR_LENGTH_MAX}
          placeholder={texts.sponsorExample}
          value={sponsor}
          onValue={setSponsor}
          errors={errorsOf("sponsor", errors)}
        />
        <Logo logo={logo} errors={errorsOf("logo", errors)} />
        <Preview accent={nearest} sponsor={sponsor} logo={logo} />
        <Submit disabledReason={disabledReason}>{texts.save}</Submit>
      </Form>
    </Panel>
  );
}

const colorIn = (accent: string) => accent.trim().toLowerCase();

/** The accent that is nearest to what was typed; null for what is no colour. */
function nearestOf(accent: string): string | null {
  const color = colorIn(accent);
  return accentFormat.test(color) ? nearestAccent(color) : null;
}

function errorsOf(field: string, errors: FieldErrors): string[] | undefined {
  return Object.entries(errors).find(([name]) => name.endsWith(`brand.${field}`))?.[1];
}

type AccentProps = {
  accent: string;
  nearest: string | null;
  errors: string[] | undefined;
  onAccent: (accent: string) => void;
};

/** The colour as text, which works everywhere, and a picker for it; for one that does not hold the nearest, taken by one press. */
function Accent({ accent, nearest, errors, onAccent }: AccentProps) {
  const color = colorIn(accent);
  return (
    <>
      <Field
        label={texts.accent}
        name="accent"
        optional
        maxLength={7}
        placeholder={texts.accentExample}
        hint={texts.accentHint}
        value={accent}
        onValue={onAccent}
        errors={errors}
      />
      <input
        className="color-picker"
        type="color"
        aria-label={texts.picker}
        value={accentFormat.test(color) ? color : texts.accentExample}
        onChange={({ currentTarget }) => onAccent(currentTarget.value)}
      />
      {nearest === null ? null : (
        <p className="row wrap small">
          <span>{texts.nearestIs}</span>
          {/* Without JavaScript it saves the form with this colour. */}
          <button
            className="btn sm"
            type="submit"
            name="nearest"
            value={nearest}
            onClick={(event) => {
              event.preventDefault();
              onAccent(nearest);
            }}
          >
            <i style={{ width: "1.2em", height: "1.2em", background: nearest, border: "1px solid" }} />
            {texts.nearest(nearest)}
          </button>
        </p>
      )}
    </>
  );
}

function Logo({ logo, errors }: { logo: string | undefined; errors: string[] | undefined }) {
  return (
    <>
      <Labelled label={texts.logo} id="logo" hint={texts.logoHint} errors={errors}>
        <input
          className="input file"
          id="logo"
          name="logo"
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          {...ariaOf("logo", { hint: texts.logoHint, errors })}
        />
      </Labelled>
      {logo === undefined ? null : (
        <label className="check">
          <input type="checkbox" name="remove_logo" value="1" />
          {texts.removeLogo}
        </label>
      )}
    </>
  );
}

type PreviewProps = { accent: string | null; sponsor: string; logo: string | undefined };

function Preview({ accent, sponsor, logo }: PreviewProps) {
  const line = sponsor.trim() === "" && logo === undefined ? texts.previewLine : sponsor.trim();
  const brand = { logo, ...(accent !== null && { accent }), ...(line !== "" && { sponsor: line }) };
  return (
    <div role="group" aria-label={texts.preview}>
      <BrandBand brand={brand} name={texts.previewLine} />
    </div>
  );
}

import type { ComponentProps } from "react";
import { Form } from "react-router";
import { CsrfField } from "../csrf-field.tsx";
import { Note } from "../note.tsx";
import { Submit } from "../submit.tsx";
import { useErrorFocus } from "../use-error-focus.ts";
import type { Refused } from "./refused.ts";

type Hidden = Readonly<Record<string, string | number | undefined>>;
type PostFormProps = Omit<ComponentProps<typeof Form>, "method" | "ref"> & {
  fields?: Hidden;
  /** The action's answer: each new refusal moves the focus to the error. */
  refused?: unknown;
};

/**
 * A form that is posted, with and without JavaScript. Screens to sign in do without it: shared with them, it would put more code
 * into the entry (`minChunkSize` in client/build/bundle-scripts.ts).
 */
export function PostForm({ fields = {}, refused, children, ...form }: PostFormProps) {
  return (
    <Form {...form} method="post" ref={useErrorFocus<HTMLFormElement>(refused)}>
      <CsrfField />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  );
}

type PostButtonProps = ComponentProps<typeof Submit> & {
  fields?: Hidden;
  form?: Pick<PostFormProps, "action" | "className" | "preventScrollReset">;
};

export function PostButton({ fields = {}, form, ...button }: PostButtonProps) {
  return (
    <PostForm fields={fields} {...form}>
      <Submit className="btn sm" {...button} />
    </PostForm>
  );
}

type RefusalProps = {
  refused: Partial<Refused> | undefined;
  /** The fields that show their own errors: nothing is said here while one of them has any. */
  unless?: readonly string[];
  /** In a panel, whose content has no space around it. */
  inBody?: true;
};

/** Why a form was refused, where none of its fields says so. */
export function Refusal({ refused, unless = [], inBody }: RefusalProps) {
  if (refused === undefined || unless.some((field) => refused.errors?.[field] !== undefined)) return null;
  const note = <Note tone="bad">{refused.refusal}</Note>;
  return inBody === true ? <div className="body">{note}</div> : note;
}

/** A label, and for screen readers what it is about. */
export function Named({ label, name }: { label: string; name: string }) {
  return (
    <>
      {label}
      <span className="vh">: {name}</span>
    </>
  );
}

import type * as v from "valibot";
import type { Schema } from "./check-input.ts";
import type { Rate } from "./rates.ts";

/** Whom an endpoint lets in, and how that is told. */
export const audiences = {
  public: "Everybody, signed in or not.",
  anyone: "Everybody, signed in or not.",
  "signed-out": "Whoever is signed out.",
  "no-account": "Whoever is signed out, or plays as a guest.",
  watcher: "Everybody while the session is live; else whoever is signed in, guests too.",
  viewer: "Whoever is signed in, guests too.",
  self: "The user whom the path names, guests too.",
  own: "The user whom the path names, guests too; admins.",
  account: "Whoever is signed in with an account.",
  "own-account": "The user whom the path names, with an account.",
  staff: "Admins and operators.",
  admin: "Admins.",
} as const;
export type Who = keyof typeof audiences;

/** A refusal that clients may have to tell apart: when it comes, and its status where that is not 422. */
export type ToldRefusal = string | { status: number; when: string };

/**
 * All that is known of one endpoint before anybody writes its handler. Routes, the reference and the tests that walk all
 * endpoints come from it. Keys are in camelCase; on the wire snake_case is as good.
 */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:id` for what it names; `*` at the end is anything. */
  path: string;
  /** One sentence without its full stop. */
  summary: string;
  /** What else is worth knowing; sentences. */
  notes?: string;
  who: Who;
  /** The parts of the path that are no number: slugs, references. */
  params?: Readonly<Record<string, "text">>;
  /** The entries of its shape. What it does not name is left alone. */
  query?: v.ObjectEntries;
  /** Its answer is a page of a list: takes `page` and `perPage` too. */
  paged?: true;
  /** What the body holds, under which key. Of several keys the first is the one that must be there (400). */
  body?: v.ObjectEntries;
  /** Without a body it is as if the resource were empty. */
  bodyOptional?: true;
  /** None: 204. "file": whatever is in it, as the handler makes it. */
  answer?: Schema | "file";
  /** Of the answer; 200 where it does not say. */
  status?: 201;
  /** Where what it asks for was so already. */
  repeatedStatus?: 200;
  /** How often it may be asked, counted at the door. */
  rate?: Rate;
  /** How often it may be asked is counted by the handler, by more than the account. */
  limited?: true;
  /** Takes an Idempotency-Key: asked again with it, it does nothing twice. */
  idempotent?: true;
  /** Takes If-Match with the version that was read: where it is another one by now, nothing changes (409). */
  versioned?: true;
  /** Its answer has an ETag, and If-None-Match is answered 304. */
  etag?: true;
  /** By code. */
  refusals?: Readonly<Record<string, ToldRefusal>>;
};

/** A room's endpoints, by the names of what they do. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

type OutputOf<Entries> = Entries extends v.ObjectEntries
  ? v.InferOutput<v.ObjectSchema<Entries, undefined>>
  : Record<never, never>;

/** What the line's query is read as. */
export type QueryOf<E extends Endpoint> = E extends { query: infer Entries }
  ? OutputOf<Entries>
  : OutputOf<null>;
/** What the line's body is read as. */
export type BodyOf<E extends Endpoint> = E extends { body: infer Entries }
  ? OutputOf<Entries>
  : OutputOf<null>;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What the parts of the line's path are read as: numbers, unless it says otherwise. */
export type ParamsOf<E extends Endpoint> = {
  [Name in NamesIn<E["path"]>]: E extends { params: Record<Name, "text"> } ? string : number;
};

/** What the line's handler answers. */
export type AnswerOf<E extends Endpoint> = E extends { answer: infer Answer }
  ? Answer extends Schema
    ? v.InferOutput<Answer>
    : Response
  : void;

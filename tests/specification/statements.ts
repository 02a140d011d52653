/**
 * A sentence of the product's specification, and the test that covers it. Either an endpoint by its name, for which
 * tests/api/walk.test.ts tests the refusals and the answer, or one test by its file and title.
 */
export type Statement =
  | { says: string; endpoint: string }
  | { says: string; test: [file: string, title: string] };

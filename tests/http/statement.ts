/**
 * A sentence of the product's specification, and where it is tested: an endpoint by its name, which tests/api/walk.test.ts takes
 * through what it must refuse and answer, or a test by its file and title.
 */
export type Statement =
  | { says: string; endpoint: string }
  | { says: string; test: [file: string, title: string] };

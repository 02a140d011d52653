/** One test, or all tests of a describe or a table row, by file and title as the file spells it. */
export type NamedTest = [file: string, title: string];

/**
 * A sentence of the product's specification, and the test that covers it. Either an endpoint by its name, for which
 * tests/api/walk.test.ts tests the refusals and the answer, or one test by its file and title. `also` names a second one
 * where a sentence says two things, such as a label and what it does.
 */
export type Statement =
  | { says: string; endpoint: string }
  | { says: string; test: NamedTest; also?: NamedTest };

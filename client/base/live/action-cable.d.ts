// By name, bundlers and the runtime would take two different files of the package. By its path the tests run the file that
// browsers get.
declare module "@rails/actioncable/app/assets/javascripts/actioncable.esm.js" {
  export * from "@rails/actioncable";
}

/** WebAssembly that the build puts beside the bundle: where it is, relative to the module that imports it. */
declare module '*.wasm' {
  const path: string;
  export default path;
}

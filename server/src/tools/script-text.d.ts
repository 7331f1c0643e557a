/** A program of ours that runs by itself, bundled, as text; see `script-text.mjs`. */
declare module '*?script' {
  const text: string;
  export default text;
}

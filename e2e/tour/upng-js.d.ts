/** What we use of it; it brings no types. */
declare module 'upng-js' {
  type Image = { width: number; height: number };
  const UPNG: {
    decode(png: Uint8Array): Image;
    /** The frames of an image. */
    toRGBA8(image: Image): ArrayBuffer[];
    /** `colours`: 0 keeps them all. */
    encode(frames: ArrayBuffer[], width: number, height: number, colours: number): ArrayBuffer;
  };
  export default UPNG;
}

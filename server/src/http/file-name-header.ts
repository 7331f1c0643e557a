/**
 * `Content-Disposition` for a name in any script (O-F5): ASCII for programs that know no better, the real name
 * beside it. Nothing in a name can end the header or begin another. Pure.
 */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
  const real = Buffer.from(name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '_')).toString();
  const ascii = real.replace(/[^ -~]|["\\%]/g, '_');
  const escaped = encodeURIComponent(real).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${ascii}"; filename*=UTF-8''${escaped}`;
}

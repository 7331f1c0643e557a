import { memo } from 'react';

/** Sanitised HTML (`render.ts`, `typeset.tsx`) put into the page: the one place where a string becomes elements. */
export const Html = memo(function Html({ html }: { html: string }) {
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
});

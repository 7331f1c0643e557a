/** Markdown once its parser is here: see `markdown.tsx`. */
import type { Token } from 'marked';
import { lazy, memo, Suspense, useState } from 'react';
import { type Block, GrowingMarkdown } from './blocks.ts';
import { Html } from './html.tsx';
import { lex } from './lexer.ts';
import styles from './markdown.module.css';
import { type Rendered as RenderedBlock, renderBlock } from './render.ts';
import { sanitize } from './sanitize.ts';

const TypesetBlock = lazy(() =>
  import('./typeset.tsx').then(
    (module) => ({ default: module.TypesetBlock }),
    () => ({ default: SourceBlock }),
  ),
);

/** The blocks of a text that may still grow; only those that changed are touched in the page. */
export function Rendered({ text, streaming }: { text: string; streaming: boolean }) {
  const [growing] = useState(() => new GrowingMarkdown({ lex, render }));
  return growing.update(text, streaming).map((blocks, at) => <Chunk key={at} blocks={blocks} />);
}

function render(token: Token): RenderedBlock {
  const { html, formulas } = renderBlock(token);
  return { html: sanitize(html), formulas };
}

const Chunk = memo(function Chunk({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={styles.chunk}>
      {blocks.map((block) => (
        <BlockView key={block.key} block={block} />
      ))}
    </div>
  );
});

const BlockView = memo(function BlockView({ block }: { block: Block }) {
  if (block.formulas.length === 0) return <SourceBlock block={block} />;
  return (
    <Suspense fallback={<SourceBlock block={block} />}>
      <TypesetBlock block={block} />
    </Suspense>
  );
});

/** A block as it comes from the parser, formulas as their source. */
function SourceBlock({ block }: { block: Block }) {
  return <Html html={block.html} />;
}

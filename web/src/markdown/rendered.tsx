/** Markdown once its parser is here: see `markdown.tsx`. */
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { type Block, GrowingMarkdown } from './blocks.ts';
import { CodeColours } from './code-colours.ts';
import { Formulas } from './formulas.ts';
import { lex } from './lexer.ts';
import styles from './markdown.module.css';
import { type Helpers, patch } from './patch.ts';
import { RemoteCodeReader } from './remote-code-reader.ts';
import { renderBlock } from './render.ts';
import type { Tree } from './tree.ts';

/** One for all messages of the page. */
const helpers: Helpers = {
  formulas: new Formulas(() => import('./typeset.ts').then((module) => module.typeset)),
  colours: new CodeColours(new RemoteCodeReader()),
};

/** The blocks of a text that may still grow; only those that changed are touched in the page. */
export function Rendered({ text, streaming }: { text: string; streaming: boolean }) {
  const [growing] = useState(() => new GrowingMarkdown({ lex, render: renderBlock }));
  return growing.update(text, streaming).map((blocks, at) => <Chunk key={at} blocks={blocks} />);
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
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<Tree>([]);
  useLayoutEffect(() => {
    if (!place.current) return;
    patch(place.current, shown.current, block.tree, helpers);
    shown.current = block.tree;
  }, [block]);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (element) helpers.colours.forgetIn(element);
    };
  }, []);
  return <div ref={place} />;
});

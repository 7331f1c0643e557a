/** A word of a command as the program would get it, where that can be told from the text alone. */
import type { Node } from 'web-tree-sitter';

/** What makes a node something else than fixed text, in a few words. */
const REASONS: Readonly<Record<string, string>> = {
  redirected_statement: 'redirection',
  file_redirect: 'redirection',
  herestring_redirect: 'herestring',
  heredoc_redirect: 'heredoc',
  heredoc_body: 'heredoc',
  variable_assignment: 'env assignment',
  variable_assignments: 'env assignment',
  declaration_command: 'declaration',
  unset_command: 'declaration',
  command_substitution: 'command substitution',
  process_substitution: 'process substitution',
  simple_expansion: 'variable expansion',
  expansion: 'variable expansion',
  arithmetic_expansion: 'arithmetic expansion',
  ansi_c_string: 'ansi-c string',
  translated_string: 'translated string',
  brace_expression: 'brace expansion',
  function_definition: 'function definition',
  compound_statement: 'compound statement',
  negated_command: 'negation',
  test_command: 'test command',
  if_statement: 'control flow',
  for_statement: 'control flow',
  c_style_for_statement: 'control flow',
  while_statement: 'control flow',
  case_statement: 'control flow',
  extglob_pattern: 'glob',
};

export function reasonFor(type: string): string {
  return REASONS[type] ?? type.replaceAll('_', ' ');
}

/** The text of a word, or why it cannot be told. */
export type Literal = { text: string } | { reason: string };

/**
 * Strict: whatever bash might make something else of is not literal, and neither is what the grammar reads
 * otherwise than bash does (backslashes, braces, globs, tildes are plain words to it).
 */
export function literalOf(node: Node): Literal {
  switch (node.type) {
    case 'word':
    case 'number': {
      const inner = node.namedChild(0);
      return inner ? { reason: REASONS[inner.type] ?? 'complex word' } : bareWord(node.text);
    }
    case 'raw_string':
      return { text: node.text.slice(1, -1) };
    case 'string':
      return quoted(node);
    case 'concatenation':
      return joined(node);
    default:
      return { reason: reasonFor(node.type) };
  }
}

/** Text without quotes. */
export function bareWord(text: string): Literal {
  if (/[*?[\]]/.test(text)) return { reason: 'glob' };
  if (/[{}]/.test(text)) return { reason: 'brace expansion' };
  if (/^~|[=:]~/.test(text)) return { reason: 'tilde expansion' };
  if (text.includes('\\')) return { reason: 'backslash escape' };
  if (/[$`]/.test(text)) return { reason: 'variable expansion' };
  if (/[()<>|&;"'\s]/.test(text)) return { reason: 'metacharacter' };
  return { text };
}

function quoted(node: Node): Literal {
  const inner = node.namedChildren.find((child) => child.type !== 'string_content');
  if (inner) return { reason: reasonFor(inner.type) };
  const text = node.text.slice(1, -1);
  if (text.includes('\\')) return { reason: 'backslash escape' };
  return /[$`]/.test(text) ? { reason: 'variable expansion' } : { text };
}

function joined(node: Node): Literal {
  // `a{1,2}`: the pieces look harmless one by one
  if (isPlainPieces(node)) return bareWord(node.text);
  let text = '';
  for (const child of node.children) {
    // how a quote is written between quotes, in every shell
    const part = child.type === 'word' && child.text === "\\'" ? { text: "'" } : literalOf(child);
    if ('reason' in part) return part;
    text += part.text;
  }
  return { text };
}

function isPlainPieces({ children }: Node): boolean {
  return children.every((piece) => /^(word|number)$/.test(piece.type) && piece.namedChildCount === 0);
}

/**
 * Lenient, for telling risks: what the word most likely is, quotes and backslashes taken off; null where it depends
 * on what is known only when it runs.
 */
export function likelyText(node: Node): string | null {
  switch (node.type) {
    case 'word':
    case 'number':
      return node.namedChildCount > 0 ? null : node.text.replace(/\\(.)/gs, '$1');
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string': {
      const isPlain = node.namedChildren.every(({ type }) => type === 'string_content');
      return isPlain ? node.text.slice(1, -1).replace(/\\(["$`\\])/g, '$1') : null;
    }
    case 'command_name':
    case 'concatenation': {
      // thousands of pieces are no reason to look at each
      if (isPlainPieces(node)) return node.text.replace(/\\(.)/gs, '$1');
      const parts = node.children.map(likelyText);
      return parts.every((part) => part !== null) ? parts.join('') : null;
    }
    default:
      return null;
  }
}

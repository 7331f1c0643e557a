/** What is known about models by their name. The facts lie in `prompts/models.json`, with where they are from. */
import table from '@tscodex/prompts/models.json';
import type { ModelOverrides } from '../base/config/model-overrides.ts';

export type ToolStyle = 'freeform' | 'function';

export type ModelFacts = {
  /** Tokens; undefined where nobody has said. */
  contextWindow?: number;
  /** Percent of the window that a conversation may use; the rest is the provider's margin. */
  effectivePercent: number;
  /** Tokens; undefined where nobody has said. */
  autoCompactTokenLimit?: number;
  /** The reasoning efforts it takes, from the least; none: it takes no such setting; undefined: not known. */
  efforts?: readonly string[];
  defaultEffort?: string;
  reasoningSummaries: boolean;
  defaultSummary?: string;
  /** Whether it takes a verbosity; undefined: not known. */
  takesVerbosity?: boolean;
  defaultVerbosity?: string;
  serviceTiers: readonly string[];
  /** It wants instructions and tools in the input; see `responses-lite`. */
  lite: boolean;
  /** undefined: not known. */
  images?: boolean;
  /** Whether it may make several calls in one answer. */
  parallelToolCalls: boolean;
  /** How it is offered tools that take free text: under a grammar, or as a function's argument. */
  toolStyle: ToolStyle;
};

/** What the configuration says of every model it is asked for, whatever its name. */
export type WindowSettings = { contextWindow?: number; autoCompactTokenLimit?: number };

type TableFacts = {
  context_window?: number;
  effective_context_window_percent?: number;
  auto_compact_token_limit?: number;
  efforts?: string[];
  default_effort?: string;
  reasoning_summaries?: boolean;
  default_summary?: string;
  /** Text: what is asked for where nothing is configured. */
  verbosity?: boolean | string;
  service_tiers?: string[];
  responses_lite?: boolean;
  images?: boolean;
  parallel_tool_calls?: boolean;
  tool_style?: ToolStyle;
};
type Family = { facts: TableFacts; models: Record<string, TableFacts> };

/** Codex's share of a window. */
const EFFECTIVE_PERCENT = 95;

const BY_SLUG: ReadonlyMap<string, ModelFacts> = new Map(
  // ours, and a test reads it through: to do so here would be felt at every start
  (table as unknown as Family[]).flatMap(({ facts, models }) =>
    Object.entries(models).map(([slug, own]) => [slug, fromTable({ ...facts, ...own })] as const),
  ),
);

/** What any server of the API takes. */
const UNKNOWN: ModelFacts = fromTable({});

/** What the table knows of `name`; on top of that `overrides`, found in the same way, and `windows`. */
export function modelFacts(
  name: string,
  overrides: Readonly<Record<string, ModelOverrides>> = {},
  windows: WindowSettings = {},
): ModelFacts {
  const known = byModelName(name, BY_SLUG) ?? UNKNOWN;
  const own = byModelName(name, new Map(Object.entries(overrides))) ?? {};
  return { ...known, ...defined(fromOverrides(own)), ...defined(windows) };
}

/**
 * What is said of the longest name that `name` begins with, else that the part behind its one slash begins with
 * (`openai/gpt-5.5`).
 */
export function byModelName<T>(name: string, bySlug: ReadonlyMap<string, T>): T | undefined {
  return longest(name, bySlug) ?? longest(/^[\w-]+\/([^/]+)$/.exec(name)?.[1] ?? '', bySlug);
}

/** In any case, because servers of open models name them as their authors do (`Qwen/Qwen3-Coder-Next`). */
function longest<T>(name: string, bySlug: ReadonlyMap<string, T>): T | undefined {
  const fitting = [...bySlug.keys()].filter((slug) => beginsWith(name.toLowerCase(), slug.toLowerCase()));
  return bySlug.get(fitting.sort((a, b) => b.length - a.length)[0] ?? '');
}

/** Whole words: `o3-pro` begins with `o3`, but `o30` does not, and neither does `glm-4.5v` with `glm-4.5`. */
function beginsWith(name: string, slug: string): boolean {
  return slug !== '' && name.startsWith(slug) && !/[a-z0-9]/.test(name[slug.length] ?? '');
}

function fromTable(facts: TableFacts): ModelFacts {
  const { verbosity } = facts;
  return {
    ...defined({
      contextWindow: facts.context_window,
      autoCompactTokenLimit: facts.auto_compact_token_limit,
      efforts: facts.efforts,
      defaultEffort: facts.default_effort,
      defaultSummary: facts.default_summary,
      takesVerbosity: verbosity === undefined ? undefined : verbosity !== false,
      defaultVerbosity: typeof verbosity === 'string' ? verbosity : undefined,
      images: facts.images,
    }),
    effectivePercent: facts.effective_context_window_percent ?? EFFECTIVE_PERCENT,
    reasoningSummaries: facts.reasoning_summaries ?? false,
    serviceTiers: facts.service_tiers ?? [],
    lite: facts.responses_lite ?? false,
    parallelToolCalls: facts.parallel_tool_calls ?? true,
    toolStyle: facts.tool_style ?? 'function',
  };
}

function fromOverrides(own: ModelOverrides): Partial<ModelFacts> {
  return {
    contextWindow: own.contextWindow,
    effectivePercent: own.effectiveContextWindowPercent,
    efforts: own.efforts,
    defaultEffort: own.defaultEffort,
    // whoever names a default says that the model has the setting
    reasoningSummaries: own.defaultEffort === undefined ? undefined : true,
    takesVerbosity: own.verbosity === undefined ? undefined : true,
    defaultVerbosity: own.verbosity,
    serviceTiers: own.serviceTiers,
    lite: own.responsesLite,
    images: own.images,
    toolStyle: own.toolStyle,
  };
}

/** Without what is undefined, so that it hides nothing below it. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** `-c key=value`: a setting from the command line, as Codex takes it. */
import { parse } from 'smol-toml';
import { Failure } from '../errors.ts';
import { type ConfigLayer, joinLayers, readLayer } from './config-layer.ts';

/**
 * `overrides` as they are given, later ones win. The key is dotted; the value is TOML where it can be read as such,
 * else the text itself. Relative paths begin at `folder`. Throws `flags` and `config.type`.
 */
export function readOverrides(overrides: readonly string[], folder: string): ConfigLayer {
  return joinLayers(
    overrides.map((text) => readLayer({ from: `-c ${keyOf(text)}`, table: tableOf(text), folder })),
  );
}

function keyOf(text: string): string {
  const key = text.slice(0, Math.max(text.indexOf('='), 0)).trim();
  if (key !== '' && key.split('.').every((part) => part !== '')) return key;
  throw new Failure('invalid', 'flags', `-c ${text}: write KEY=VALUE, like -c model_verbosity=low`);
}

function tableOf(text: string): unknown {
  const value = parsedValue(text.slice(text.indexOf('=') + 1).trim());
  return keyOf(text)
    .split('.')
    .reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value);
}

function parsedValue(text: string): unknown {
  try {
    const table = parse(`value = ${text}`);
    // a value of several lines could be more than a value
    if (Object.keys(table).length === 1) return table.value;
  } catch {
    // no TOML: the text is meant
  }
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}

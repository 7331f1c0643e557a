/**
 * What a command printed, as styled runs of text: colours and weights stay, progress lines are collapsed to
 * their last state, every other control code is dropped.
 */
import Anser from 'anser';

/** One run. `color` and `background` are a class name of the 16 terminal colours or a CSS colour. */
export type Run = {
  text: string;
  color?: TerminalColor;
  background?: TerminalColor;
  decorations?: string[];
};
export type TerminalColor = { name: string } | { rgb: string };

/** More runs than this are shown without style: someone printed a picture, or means harm. */
const RUNS_LIMIT = 5_000;

const ESC = '\u001b';
const SGR = new RegExp(`${ESC}\\[[0-9;:]*m`, 'g');
/** OSC and other strings (ended or cut off), CSI that are not SGR, charset choices, short escapes. */
const ESCAPES = new RegExp(
  [
    `${ESC}[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|${ESC}\\\\|$)`,
    `${ESC}\\[[0-?]*[ -/]*(?:[@-ln-~]|$)`,
    `${ESC}\\[[0-9;:]*[<=>?][0-?]*m`,
    `${ESC}[ -/]+[0-~]`,
    `${ESC}(?!\\[)[0-~]?`,
  ].join('|'),
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: dropping them is the purpose
const CONTROLS = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;

export function terminalRuns(output: string): Run[] {
  const text = visibleText(output);
  if (!text.includes(ESC)) return text === '' ? [] : [{ text }];
  const parts = Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true });
  const runs = parts.slice(0, RUNS_LIMIT).map(toRun);
  const rest = parts.slice(RUNS_LIMIT).map((part) => part.content);
  return rest.length === 0 ? runs : [...runs, { text: rest.join('') }];
}

/** The text as a terminal would leave it on the screen, with nothing but SGR codes, tabs and newlines in it. */
export function visibleText(output: string): string {
  return output.replace(ESCAPES, '').split('\n').map(lastState).join('\n').replace(CONTROLS, '');
}

/** A line after its carriage returns and backspaces. Colours set in overwritten parts still hold. */
function lastState(line: string): string {
  let end = line.length;
  // no /\r+$/: it takes seconds where many of them stand before other text
  while (line[end - 1] === '\r') end--;
  const states = line.slice(0, end).split('\r');
  const overwritten = states.slice(0, -1).join('').match(SGR) ?? [];
  return overwritten.join('') + withoutBackspaces(states.at(-1) ?? '');
}

function withoutBackspaces(text: string): string {
  if (!text.includes('\b')) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

type Part = ReturnType<typeof Anser.ansiToJson>[number];

function toRun(part: Part): Run {
  const run: Run = { text: part.content };
  const color = toColor(part.fg, part.fg_truecolor);
  const background = toColor(part.bg, part.bg_truecolor);
  if (color) run.color = color;
  if (background) run.background = background;
  if (part.decorations.length > 0) run.decorations = part.decorations;
  return run;
}

function toColor(name: string | null, truecolor: string | null): TerminalColor | undefined {
  if (!name) return undefined;
  if (name === 'ansi-truecolor') return { rgb: `rgb(${truecolor})` };
  const index = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  return index === undefined ? { name } : { rgb: paletteColor(Number(index)) };
}

/** xterm's 256 colours from 16 on: a 6x6x6 cube, then 24 greys. */
function paletteColor(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const levels = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const channels = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => levels[level]);
  return `rgb(${channels.join(', ')})`;
}

/** How somebody lays out a JSON file, so that what is added to it looks like what is there. */

type Range = { start: number; end: number };

/** What stands between one member of a list or object and the next: on a line of its own if the one before is. */
export function separatorAfter(json: string, { start }: Range): string {
  const lead = leadOf(json, start);
  if (lead !== null) return `,${json.includes('\r\n') ? '\r\n' : '\n'}${lead}`;
  return json.charAt(start - 1).trim() === '' ? ', ' : ',';
}

/** An object for the list in which `like` is: on one line, or with a line for each key, as that one is written. */
export function entryLike(json: string, like: Range, entry: Record<string, string>): string {
  const text = json.slice(like.start, like.end);
  const lead = leadOf(json, like.start);
  const [eol, indent] = /(\r?\n)([ \t]+)/.exec(text)?.slice(1) ?? [];
  if (eol === undefined || indent === undefined || lead === null) return onOneLine(text, entry);
  const step = indent.startsWith(lead) && indent.length > lead.length ? indent.slice(lead.length) : '  ';
  return JSON.stringify(entry, null, step).replaceAll('\n', eol + lead);
}

/** A key for the object in which the property `like` is. */
export function keyLike(json: string, like: Range, key: string, value: string | boolean): string {
  const colon = /^"(?:[^"\\]|\\.)*"\s*:\s/.test(json.slice(like.start, like.end)) ? ': ' : ':';
  return JSON.stringify(key) + colon + JSON.stringify(value);
}

/** The blanks that a line begins with, where nothing else stands before; null where something does. */
function leadOf(json: string, at: number): string | null {
  const line = json.lastIndexOf('\n', at - 1) + 1;
  const before = json.slice(line, at);
  return line > 0 && before.trim() === '' ? before : null;
}

function onOneLine(like: string, entry: Record<string, string>): string {
  if (like.includes('\n') || !/^\{\s|":\s/.test(like)) return JSON.stringify(entry);
  const members = Object.entries(entry).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  const pad = /^\{\s/.test(like) ? ' ' : '';
  return `{${pad}${members.join(', ')}${pad}}`;
}

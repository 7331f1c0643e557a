/** Patches that come through the shell, as models send them that were trained with an `apply_patch` program. */

/** `[cd DIR &&] apply_patch <<DELIMITER` and the end of the line. */
const HEAD =
  /^\s*(?:cd[ \t]+(?<dir>'[^'\n]+'|"[^"$`\\\n]+"|[\w./@+,:=-]+)[ \t]*&&[ \t]*)?apply_?patch[ \t]*<<[ \t]*(?<quote>['"]?)(?<delimiter>[^\s'"\\$`;&|<>()]+)\k<quote>[ \t]*\r?\n/;

/**
 * The patch in a command that does nothing else, taken literally even where the shell would expand it. `dir` is
 * relative to the command's directory. null: the command is something else.
 */
export function patchFromShell(command: string): { patch: string; dir?: string } | null {
  const head = HEAD.exec(command);
  if (!head?.groups) return null;
  const { dir, delimiter } = head.groups;
  const lines = command.slice(head[0].length).trimEnd().split(/\r?\n/);
  if (lines.indexOf(delimiter ?? '') !== lines.length - 1) return null;
  const patch = lines.slice(0, -1).join('\n');
  return dir === undefined ? { patch } : { patch, dir: dir.replace(/^(['"])(.*)\1$/, '$2') };
}

/** One table: what was measured, on both sides, as a ratio, against its budget. */

/**
 * @typedef {{ what: string, product: number, floor?: number, opencode?: number, unit?: string, budget?: string }} Row
 * `budget` reads `< 120` for the value or `x 1.5` for the ratio; in the unit of the row.
 */

/** @param {Row[]} rows @returns {string} as markdown */
export function table(rows) {
  const cells = [['what', 'product', 'floor', 'ratio', 'budget', '', 'opencode'], ...rows.map(cellsOf)];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const [head, ...body] = cells.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column]))));
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

function cellsOf({ what, product, floor, opencode, unit = '', budget = '' }) {
  const ratio = floor ? product / floor : undefined;
  const [kind, limit] = budget.split(' ');
  const value = kind === 'x' ? ratio : product;
  const verdict = value === undefined || budget === '' ? '' : value <= Number(limit) ? 'met' : 'MISSED';
  return [
    unit ? `${what}, ${unit}` : what,
    number(product),
    floor === undefined ? '' : number(floor),
    ratio === undefined ? '' : `${number(ratio)}x`,
    budget,
    verdict,
    opencode === undefined ? '' : number(opencode),
  ];
}

function line(cells) {
  return `| ${cells.join(' | ')} |`;
}

/** Three digits that count. */
function number(value) {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
}

/** The icon of the tab with what has come up on it. A text that the browser draws: it costs the page no layout. */

export type Badge = {
  /** How many wait for a person. */
  waiting: number;
  /** Whether there is anything else to look at. */
  news: boolean;
};

/** The address of the icon to show; null for the one without anything on it. */
export function badgedIcon({ waiting, news }: Badge): string | null {
  if (waiting === 0 && !news) return null;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${MARK}${waiting > 0 ? counter(waiting) : DOT}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** As in `public/icon.svg`. */
const MARK =
  '<rect width="512" height="512" rx="116" fill="#3b5bdb"/>' +
  '<path d="M150 158 252 256 150 354M290 354h76" fill="none" stroke="#fff" stroke-width="52" stroke-linecap="round" stroke-linejoin="round"/>';

const DOT =
  '<circle cx="400" cy="112" r="112" fill="#fff"/><circle cx="400" cy="112" r="88" fill="#2b8a3e"/>';

function counter(waiting: number): string {
  const [text, size] = waiting > 9 ? ['9+', 190] : [waiting, 240];
  return (
    '<circle cx="352" cy="160" r="160" fill="#fff"/><circle cx="352" cy="160" r="144" fill="#b45309"/>' +
    `<text x="352" y="${160 + size * 0.35}" font-family="system-ui,sans-serif" font-size="${size}" ` +
    `font-weight="700" fill="#fff" text-anchor="middle">${text}</text>`
  );
}

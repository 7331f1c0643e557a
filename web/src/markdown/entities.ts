/** What marked's renderer leaves for the browser to read: a number, or a name that may or may not be known. */
const ENTITY = /&(?:#\d{1,7}|#[Xx][\da-fA-F]{1,6}|\w+);/g;

/** `&copy;` as `©`: the one thing of HTML that Markdown has in common with it. The browser knows the names. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(ENTITY, decode) : text;
}

function decode(entity: string): string {
  // a textarea holds text alone, and the entity has no character but letters and digits
  const area = document.createElement('textarea');
  area.innerHTML = entity;
  return area.value;
}

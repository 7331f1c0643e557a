/** The address of a session, or of an item in it, below the page's base. */
export function sessionPlace(workspace: string, session: string, item: string | null = null): string {
  const asked = new URLSearchParams({ session });
  if (item !== null) asked.set('item', item);
  return `/w/${encodeURIComponent(workspace)}/?${asked}`;
}

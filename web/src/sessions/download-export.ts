import type { ExportFormat } from '@tscodex/shared/workspace';
import { urlPath } from '../api/http.ts';
import { spoken } from '../messages/spoken.ts';

/** Has the browser fetch the whole conversation of a session as a file. */
export function downloadExport(session: string, format: ExportFormat): void {
  const query = new URLSearchParams({ format, language: spoken().language });
  const link = document.createElement('a');
  link.href = `${urlPath('api', 'sessions', session, 'export')}?${query}`;
  link.download = '';
  link.click();
}

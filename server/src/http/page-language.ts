/** The few pages the server makes itself speak the browser's language, as far as they know it. */
import type { FastifyRequest } from 'fastify';

export type PageLanguage = 'en' | 'zh';

/** The dearest of the two in Accept-Language, else English. */
export function pageLanguageOf({ headers }: Pick<FastifyRequest, 'headers'>): PageLanguage {
  const known = (headers['accept-language'] ?? '')
    .split(',')
    .map((range) => /^\s*(en|zh)\b[^;]*(?:;\s*q=([\d.]+))?/i.exec(range))
    .filter((match) => match !== null)
    .map(([, language, quality = '1']) => ({ language: language?.toLowerCase(), quality: Number(quality) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return known[0]?.language === 'zh' ? 'zh' : 'en';
}

/** Tokens and money as a person reads them. */
import { spoken } from '../messages/spoken.ts';

/** `812`, `4.2k`, `182k`, `1.3M`: for a glance. */
export function roundTokens(count: number): string {
  const { rounded, whole } = spoken().formats;
  if (count < 1000) return whole.format(count);
  if (count < 9950) return `${rounded.format(count / 1000)}k`;
  if (count < 999_500) return `${whole.format(Math.round(count / 1000))}k`;
  return `${rounded.format(count / 1_000_000)}M`;
}

/** Every one of them. */
export function tokens(count: number): string {
  return spoken().formats.whole.format(count);
}

/** The least that is told below one unit. */
const LEAST = 0.0001;

/** `$0.0221`, `€12.40`, `<$0.0001`; a currency of the configuration that nobody knows stands behind the amount. */
export function money(amount: number, currency: string): string {
  const { locale } = spoken().formats.whole.resolvedOptions();
  const digits = amount === 0 || amount >= 1 ? 2 : 4;
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (amount > 0 && amount < LEAST) return `<${money(LEAST, currency)}`;
  try {
    return new Intl.NumberFormat(locale, {
      ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
      ...form,
    }).format(amount);
  } catch {
    return `${new Intl.NumberFormat(locale, form).format(amount)} ${currency}`; // not a code of three letters
  }
}

/** How a locale writes what is counted and when it was. Made once a language: these objects are slow to make. */
export type Formats = {
  readonly plurals: Intl.PluralRules;
  readonly whole: Intl.NumberFormat;
  /** At most one digit behind the point. */
  readonly rounded: Intl.NumberFormat;
  readonly timeOfDay: Intl.DateTimeFormat;
  /** Without the year. */
  readonly day: Intl.DateTimeFormat;
  /** With its year. */
  readonly month: Intl.DateTimeFormat;
  readonly fullTime: Intl.DateTimeFormat;
  /** What stands beside each other, without an “and”. */
  readonly list: Intl.ListFormat;
};

export function formatsOf(locale: string): Formats {
  return {
    plurals: new Intl.PluralRules(locale),
    whole: new Intl.NumberFormat(locale),
    rounded: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
    timeOfDay: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
    day: new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }),
    month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
    fullTime: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
    list: new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }),
  };
}

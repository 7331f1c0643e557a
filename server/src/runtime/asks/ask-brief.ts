/** An ask in few words, for what shows all that waits in many sessions. Pure. */
import type { Approval, Ask, AskBrief } from '@tscodex/shared/asks';
import { BRIEF_LIMIT } from '@tscodex/shared/limits';
import { isPlainText } from '@tscodex/shared/unseen-text';

export function askBrief({ id, kind, openedAt, approval, from, questions }: Ask): AskBrief {
  const text = approval
    ? (approval.command ?? approval.changes?.map(({ path }) => path).join('\n') ?? approval.reason ?? '')
    : from
      ? `${from.server}: ${from.message}`
      : (questions ?? []).map(({ question }) => question).join('\n');
  return {
    // what hides something is to be looked at where all of it is
    ...{
      id,
      kind,
      openedAt,
      cut: text.length > BRIEF_LIMIT || (approval !== undefined && hidesSomething(text, approval)),
    },
    ...(approval ? judgedBy(approval) : {}),
    ...(approval ? reasonsOf(approval) : {}),
    text: bounded(text),
  };
}

function bounded(text: string): string {
  return text.length > BRIEF_LIMIT ? `${text.slice(0, BRIEF_LIMIT - 1)}…` : text;
}

function hidesSomething(text: string, { cwd = '', grants = {} }: Approval): boolean {
  const { read = [], write = [] } = grants;
  return ![text, cwd, ...read, ...write].every(isPlainText);
}

/** What one decides an approval by, beside what is to be done. */
function judgedBy({ what, cwd, sandbox, grants, risk }: Approval): JudgedBy {
  return {
    what,
    ...(cwd === undefined ? {} : { cwd }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(grants === undefined ? {} : { grants }),
    ...(risk === undefined ? {} : { risk }),
  };
}
type JudgedBy = Pick<AskBrief, 'what' | 'cwd' | 'sandbox' | 'grants' | 'risk'>;

/** Of permissions the reason is the text. */
function reasonsOf({ what, reason, because }: Approval): Pick<AskBrief, 'reason' | 'because'> {
  const words = because?.justification;
  return {
    ...(reason === undefined || what === 'permissions' ? {} : { reason: bounded(reason) }),
    ...(because && { because: { ...because, ...(words && { justification: bounded(words) }) } }),
  };
}

import type { Messages } from '../messages/messages.ts';

export const usageMessages = {
  'usage.title': 'Context and usage',
  'usage.open': 'Context and usage',
  'usage.contextLeft': 'Context left',
  'usage.percent': '{percent} %',
  'usage.percentAbout': 'about {percent} %',
  'usage.tokens': '{tokens} tokens',
  'usage.context': 'Context',
  'usage.contextOf': '{used} of {window} tokens, {percent} % left',
  'usage.contextAlone': '{used} tokens; how many the model can hold is not known',
  'usage.contextUnknown': 'How much of the context is used is not known',
  'usage.estimated': 'An estimate, until the model has answered again.',
  'usage.thisTurn': 'This turn',
  'usage.latestTurn': 'Latest turn',
  'usage.session': 'Session',
  'usage.what': 'Tokens',
  'usage.input': 'Input',
  'usage.cached': 'of which cached',
  'usage.output': 'Output',
  'usage.reasoning': 'of which reasoning',
  'usage.cost': 'Cost',
  'usage.unpriced': 'No cost: the configuration has no price for {models}.',
  'usage.unknownModel': 'a model that was not recorded',
  'usage.compact': 'Compact now',
  'usage.compactAbout':
    'A summary takes the place of the conversation for the model. You still see all of it.',
  'usage.compactBusy': 'Possible once the turn has ended.',
  'usage.compactNever':
    'codex exec cannot be told to: Codex does it by itself when the conversation grows too long.',
  'usage.compactClosed': 'Possible once the session is open again.',
  'usage.notCompacted': 'Not compacted. {reason}',
} as const satisfies Messages;

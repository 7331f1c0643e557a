import type { Messages } from '../messages/messages.ts';

export const peopleMessages = {
  'people.title': 'In this workspace',
  'people.here': { one: '{count} person here: {names}', other: '{count} people here: {names}' },
  'people.more': '+{count}',
  'people.andMore': '{names} and {count} more',
  'people.rest': {
    one: '{count} more person is on this server',
    other: '{count} more people are on this server',
  },
  'people.sameSession': 'in this session',
  'people.somebody': 'Somebody',
  'people.you': 'You',
  'people.youNamed': 'You ({name})',

  'people.ask': 'What should the others call you?',
  'people.askHint': 'Shown with what you write, decide and stop.',
  'people.yourName': 'Your name',
  'people.placeholder': 'Name',
  'people.save': 'Save',
  'people.skip': 'Skip',
  'people.tooLong': 'A name has at most {limit} characters.',
  'people.invisible': 'A name holds no invisible characters. Type it anew.',
} as const satisfies Messages;

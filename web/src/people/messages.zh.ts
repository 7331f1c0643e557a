import type { Chinese } from '../messages/messages.ts';
import type { peopleMessages } from './messages.ts';

export const peopleMessagesZh = {
  'people.title': '这个工作区里的人',
  'people.here': '{count} 人在这里：{names}',
  'people.more': '+{count}',
  'people.andMore': '{names} 等，另有 {count} 人',
  'people.rest': '服务器上还有 {count} 人',
  'people.sameSession': '在这个会话',
  'people.somebody': '某人',
  'people.you': '你',
  'people.youNamed': '你（{name}）',

  'people.ask': '别人该怎么称呼你？',
  'people.askHint': '会显示在你发送的消息、做出的决定和停止操作旁边。',
  'people.yourName': '你的名字',
  'people.placeholder': '名字',
  'people.save': '保存',
  'people.skip': '跳过',
  'people.tooLong': '名字最多 {limit} 个字符。',
  'people.invisible': '名字里不能有看不见的字符，请重新输入。',
} as const satisfies Chinese<typeof peopleMessages>;

import type { Chinese } from '../messages/messages.ts';
import type { imagesMessages } from './messages.ts';

export const imagesMessagesZh = {
  'images.list': '图片',
  'images.viewer': '图片：{name}',
  'images.position': '第 {at} 张，共 {count} 张',
  'images.previous': '上一张',
  'images.next': '下一张',
  'images.actualSize': '原始大小',
  'images.fit': '适应窗口',
  'images.open': '在新标签页中打开',
  'images.broken': '{name} 无法加载，点击重试',
  'images.size': '{width} × {height} 像素，{size}',
  'images.count': '{count} 张图片',

  'images.attach': '添加图片',
  'images.drop': '把图片拖放到这里',
  'images.attached': '已添加的图片',
  'images.remove': '移除 {name}',
  'images.retry': '重新上传 {name}',
  'images.preparing': '处理中',
  'images.uploading': '上传中，{percent}%',
  'images.ready': '已上传',
  'images.failed': '上传失败',
  'images.tooMany': '一条消息最多 {count} 张图片。',
  'images.tooLarge': '{name} 的大小是 {size}，单张图片最大 {limit}。',
  'images.unreadable': '{name} 不是这个浏览器能读取的图片。可以添加 PNG、JPEG、WebP 和 GIF。',
  'images.damaged': '{name} 已损坏，无法显示。',
  'images.wait': '还有图片正在上传。',
  'images.mend': '有图片上传失败，请重试或移除。',
} as const satisfies Chinese<typeof imagesMessages>;

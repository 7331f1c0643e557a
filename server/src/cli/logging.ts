/** The log: JSON lines on stderr, pretty on a terminal. No secret reaches it. */
import { type DestinationStream, destination, type Logger, pino } from 'pino';

const secrets = ['authorization', 'cookie', 'set-cookie', 'password', 'token', 'api_key', 'apiKey'];

export function createLogger(level: string, stream: DestinationStream): Logger {
  const keys = secrets.map((key) => `["${key}"]`);
  const paths = keys.flatMap((key) => [key, `*${key}`, `*.*${key}`]);
  return pino({ level, redact: { paths, censor: '[redacted]' } }, stream);
}

/** Where the log goes. Written at once, so that the last line before a crash is there. */
export async function logStream(stderr: { isTTY?: boolean; fd: number }): Promise<DestinationStream> {
  if (!stderr.isTTY) return destination({ dest: stderr.fd, sync: true });
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: stderr.fd,
    sync: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
  });
}

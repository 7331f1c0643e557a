/** What Node's fetch means when it fails: the reason sits in a chain of causes. */

/** `unreached`: no byte of the request has arrived anywhere. */
export type NetworkProblem = { why: string; retryable: boolean; unreached: boolean };

const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const BROKEN: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'no answer in time',
};

export function networkProblem(error: unknown): NetworkProblem {
  let why = '';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|EPROTO|ERR_SSL/.test(code)) {
      const text = `its TLS certificate or protocol was not accepted (${code})`;
      return { why: text, retryable: false, unreached: false };
    }
    const known = UNREACHED[code] ?? BROKEN[code];
    if (known !== undefined)
      return { why: `${known} (${code})`, retryable: true, unreached: code in UNREACHED };
    why = cause.message;
  }
  return { why, retryable: true, unreached: false };
}

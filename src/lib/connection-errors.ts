/** Codes of Node and undici for connections that failed, in plain words: the libraries' own messages say nothing to people. */

/** `UND_ERR_SOCKET` in words, such as "the connection was cut"; null for a code without words of its own. */
export function connectionErrorText(code: string): string | null {
  const known = TEXTS.get(code);
  if (known !== undefined) return known;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return 'its certificate isn’t trusted';
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS'))
    return 'no encrypted connection could be made';
  return null;
}

/** One phrase for all that took too long. */
export const NO_ANSWER_IN_TIME = 'no answer in time';

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['EPIPE', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['ENOTFOUND', 'DNS doesn’t know its name'],
  ['EAI_AGAIN', 'DNS isn’t answering'],
  ['EHOSTUNREACH', 'there’s no network route to it'],
  ['ENETUNREACH', 'there’s no network route to it'],
  ['ETIMEDOUT', NO_ANSWER_IN_TIME],
  ['UND_ERR_CONNECT_TIMEOUT', NO_ANSWER_IN_TIME],
  ['UND_ERR_HEADERS_TIMEOUT', NO_ANSWER_IN_TIME],
  ['UND_ERR_BODY_TIMEOUT', NO_ANSWER_IN_TIME],
]);

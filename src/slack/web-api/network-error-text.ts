/** Why Slack did not answer, in plain words: the network library's own texts mean nothing to people. */

/** Causes of an error that are followed. */
const MAX_CAUSES = 5;

/** One phrase, such as "the connection was refused"; never the library's own text, which may contain an address. */
export function networkErrorText(error: unknown): string {
  const chain = causesOf(error);
  for (const code of chain.map(codeOf)) {
    const known = code === null ? undefined : ERROR_TEXTS.get(code);
    if (known !== undefined) return known;
    if (code !== null && /CERT|SIGNATURE|ISSUER/.test(code)) return 'its certificate isn’t trusted';
    if (code?.startsWith('ERR_SSL') || code?.startsWith('ERR_TLS'))
      return 'no encrypted connection could be made';
  }
  // The fetch standard blocks some ports (fetch.spec.whatwg.org, port blocking).
  if (chain.some((one) => one instanceof Error && one.message === 'bad port'))
    return 'HTTP clients block its port';
  const isLate = chain.some((one) => one instanceof Error && /timeout|abort/i.test(one.name));
  if (isLate) return TIMEOUT_CODES;
  const [code] = chain.map(codeOf).filter((one) => one !== null && /^[A-Z][A-Z0-9_]+$/.test(one));
  return code === undefined ? 'no connection, or it was lost' : `no connection, or it was lost (${code})`;
}

const TIMEOUT_CODES = 'no answer in time';

const ERROR_TEXTS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['EPIPE', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['ENOTFOUND', 'DNS doesn’t know its name'],
  ['EAI_AGAIN', 'DNS isn’t answering'],
  ['EHOSTUNREACH', 'there’s no network route to it'],
  ['ENETUNREACH', 'there’s no network route to it'],
  ['ETIMEDOUT', TIMEOUT_CODES],
  ['UND_ERR_CONNECT_TIMEOUT', TIMEOUT_CODES],
  ['UND_ERR_HEADERS_TIMEOUT', TIMEOUT_CODES],
  ['UND_ERR_BODY_TIMEOUT', TIMEOUT_CODES],
]);

/** The error and its causes; of several attempts (one for each address), the first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && chain.length < MAX_CAUSES; one = innerOf(one))
    chain.push(one);
  return chain;
}

function innerOf(error: Error): unknown {
  if ('original' in error) return error.original;
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

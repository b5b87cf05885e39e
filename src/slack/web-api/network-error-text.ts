/** Why Slack did not answer, in plain words. */
import { connectionErrorText, NO_ANSWER_IN_TIME } from '../../lib/connection-errors.ts';

/** Causes of an error that are followed. */
const MAX_CAUSES = 5;

/** One phrase, such as "the connection was refused"; never the library's own text, which may contain an address. */
export function networkErrorText(error: unknown): string {
  const chain = causesOf(error);
  for (const code of chain.map(codeOf)) {
    const known = code === null ? null : connectionErrorText(code);
    if (known !== null) return known;
  }
  // The fetch standard blocks some ports (fetch.spec.whatwg.org, port blocking).
  if (chain.some((one) => one instanceof Error && one.message === 'bad port'))
    return 'HTTP clients block its port';
  const isLate = chain.some((one) => one instanceof Error && /timeout|abort/i.test(one.name));
  if (isLate) return NO_ANSWER_IN_TIME;
  const [code] = chain.map(codeOf).filter((one) => one !== null && /^[A-Z][A-Z0-9_]+$/.test(one));
  return code === undefined ? 'no connection, or it was lost' : `no connection, or it was lost (${code})`;
}

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

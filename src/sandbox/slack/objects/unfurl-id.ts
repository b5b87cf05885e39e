/** The ids under which links are unfurled (docs.slack.dev/reference/events/link_shared). */
import { createHash } from 'node:crypto';

type Place = { readonly channel: string; readonly ts: string };

/** Such as `C0OPS000001.1795165200.000000.1b90fa12…`; opaque to apps. */
export function unfurlIdOf({ channel, ts }: Place): string {
  const hash = createHash('sha256').update(`${channel} ${ts}`).digest('hex').slice(0, 32);
  return `${channel}.${ts}.${hash}`;
}

/** The message of an unfurl id; undefined for an id that was never given out. */
export function placeOfUnfurl(id: string): Place | undefined {
  const [channel = '', seconds, fraction] = id.split('.');
  const place = { channel, ts: `${seconds}.${fraction}` };
  return unfurlIdOf(place) === id ? place : undefined;
}

/** Whether a request is Slack's, by its signature (docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE, SECOND } from '../../clock.ts';

/** Both ways: a request that is dated ahead could be replayed until that time. */
const MOST_APART_MS = 5 * MINUTE;

export type SignedRequest = {
  /** The headers `x-slack-request-timestamp` (seconds) and `x-slack-signature`, as they came. */
  readonly timestamp: unknown;
  readonly signature: unknown;
  readonly body: Uint8Array;
};
export type SignatureFault = 'unsigned' | 'too old' | 'dated ahead' | 'signed by another secret';

/** Null where it is signed with `secret` within five minutes of `now` (wall time). */
export function signatureFault(
  { timestamp, signature, body }: SignedRequest,
  secret: string,
  now: Instant,
): SignatureFault | null {
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  if (typeof signature !== 'string') return 'unsigned';
  const ageMs = now - Number(timestamp) * SECOND;
  if (ageMs > MOST_APART_MS) return 'too old';
  if (ageMs < -MOST_APART_MS) return 'dated ahead';
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body);
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`);
  const given = Buffer.from(signature);
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  return isRight ? null : 'signed by another secret';
}

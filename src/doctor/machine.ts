/** Checks of this machine's clock against both services'. */
import { fetch } from 'undici';
import { type Instant, instant, MINUTE, SECOND, wallNow } from '../clock.ts';
import type { Config } from '../config.ts';
import { createDispatcher } from '../proxy.ts';
import { type Finding, fail, ok, warn } from './check.ts';

/** Slack refuses requests signed more than five minutes off; proofs compare the service's times with ours. */
const REFUSED_MS = 5 * MINUTE;
const NOTABLE_MS = 30 * SECOND;
const ASK_WITHIN_MS = 5 * SECOND;

export async function checkClockSkew(config: Config): Promise<readonly Finding[]> {
  return [
    await skewAgainst('clock vs Slack', config.slack),
    await skewAgainst('clock vs service', {
      apiUrl: config.fleet.baseUrl,
      proxy: config.fleet.proxy,
    }),
  ];
}

async function skewAgainst(
  name: string,
  { apiUrl: url, proxy }: Pick<Config['slack'], 'apiUrl' | 'proxy'>,
): Promise<Finding> {
  const dispatcher = createDispatcher(proxy, {});
  let theirs: Instant | null;
  try {
    const signal = AbortSignal.timeout(ASK_WITHIN_MS);
    const answer = await fetch(url, { method: 'HEAD', signal, dispatcher });
    theirs = readDate(answer.headers.get('date'));
  } catch {
    return warn(name, `${url} did not answer`, 'see the results above');
  } finally {
    await dispatcher.destroy();
  }
  if (theirs === null) return warn(name, 'the answer has no date', 'compare the clocks manually');
  const skew = Math.abs(wallNow() - theirs);
  const seen = `${Math.round(skew / SECOND)} s apart`;
  if (skew < NOTABLE_MS) return ok(name, seen);
  const remedy = "sync this machine's clock with NTP";
  return skew < REFUSED_MS ? warn(name, seen, remedy) : fail(name, seen, remedy);
}

function readDate(header: string | null): Instant | null {
  const at = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? null : instant(at);
}

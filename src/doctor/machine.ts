/** Checks of this machine's clock against both services'. */
import { fetch } from 'undici';
import type { Config } from '../config/config.ts';
import { type Instant, instant, MINUTE, SECOND, wallNow } from '../lib/clock.ts';
import { createDispatcher, proxyFor } from '../lib/proxy.ts';
import { type Finding, failFinding, okFinding, skipFinding, warnFinding } from './finding.ts';

/** Slack refuses requests signed more than five minutes off; proofs compare the service's times with ours. */
const MAX_SKEW_MS = 5 * MINUTE;
const NOTABLE_SKEW_MS = 30 * SECOND;
const REQUEST_TIMEOUT_MS = 5 * SECOND;

/** For each service the name of the check that failed, or null. A service that failed need not answer again. */
export type FailedChecks = { readonly slack: string | null; readonly fleet: string | null };

/** One finding for each service. Findings are warnings from 30 s apart, and failures from 5 min. */
export async function checkClockSkew(
  { slack, fleet }: Pick<Config, 'slack' | 'fleet'>,
  failed: FailedChecks,
): Promise<readonly Finding[]> {
  return [
    await skewAgainst('clock vs Slack', slack, failed.slack),
    await skewAgainst('clock vs service', { apiUrl: fleet.baseUrl, proxy: fleet.proxy }, failed.fleet),
  ];
}

async function skewAgainst(
  name: string,
  { apiUrl: url, proxy }: Pick<Config['slack'], 'apiUrl' | 'proxy'>,
  failed: string | null,
): Promise<Finding> {
  const dispatcher = createDispatcher(proxy, {});
  let theirs: Instant | null;
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await fetch(url, { method: 'HEAD', signal, dispatcher });
    theirs = readDate(answer.headers.get('date'));
  } catch {
    if (failed !== null) return skipFinding(name, failed);
    return warnFinding(name, `${url} did not answer`, 'compare the clocks manually');
  } finally {
    await dispatcher.destroy();
  }
  if (theirs === null) return warnFinding(name, 'the answer has no date', 'compare the clocks manually');
  const skew = Math.abs(wallNow() - theirs);
  const seen = `${Math.round(skew / SECOND)} s apart`;
  if (skew < NOTABLE_SKEW_MS) return okFinding(name, seen);
  const remedy = "sync this machine's clock with NTP";
  return skew < MAX_SKEW_MS ? warnFinding(name, seen, remedy) : failFinding(name, seen, remedy);
}

function readDate(header: string | null): Instant | null {
  const at = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? null : instant(at);
}

/** Which proxy each service is called through; empty without a proxy. The checks of both services show if it lets them through. */
export function checkProxy({ fleet, slack }: Pick<Config, 'fleet' | 'slack'>): readonly Finding[] {
  if (slack.proxy === null) return [];
  const way = (name: string, address: string): string => {
    const proxy = proxyFor(slack.proxy, address);
    return `${name} ${proxy === null ? 'directly' : `through ${proxy}`}`;
  };
  return [okFinding('proxy', `${way('the service', fleet.baseUrl)}, ${way('Slack', slack.apiUrl)}`)];
}

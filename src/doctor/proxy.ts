/** Which way the requests take. Whether the proxy lets them through is seen in the checks of both services. */
import type { Config } from '../config.ts';
import { proxyOf } from '../proxy.ts';
import { type Finding, ok } from './check.ts';

/** Nothing where no proxy is set. */
export function checkProxy({ fleet, slack }: Pick<Config, 'fleet' | 'slack'>): readonly Finding[] {
  if (slack.proxy === null) return [];
  const way = (name: string, address: string): string => {
    const proxy = proxyOf(slack.proxy, address);
    return `${name} ${proxy === null ? 'directly' : `through ${proxy}`}`;
  };
  return [ok('proxy', `${way('the service', fleet.baseUrl)}, ${way('Slack', slack.apiUrl)}`)];
}

import { secret } from '../../src/lib/log.ts';

/** The settings for a Slack whose Web API has this address. */
export const slackAt = (apiUrl: string) => ({
  botToken: secret('xoxb-1'),
  transport: { kind: 'socket', appToken: secret('xapp-1') } as const,
  apiUrl,
  command: '/fleet',
  proxy: null,
});

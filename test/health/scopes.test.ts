/** What Slack says of the token with every answer, from the wire to what is known of our health. */
import { expect, it } from 'vitest';
import { createVitalSigns } from '../../src/health/health-monitor.ts';
import { createManualClock, instant } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';
import { createClients } from '../../src/slack/web-api/clients.ts';
import { monitoredWeb } from '../../src/slack/web-api/monitored-web.ts';
import { createSlackWeb } from '../../src/slack/web-api/slack-web.ts';
import { perTest } from '../harness/per-test.ts';
import { slackAt } from '../harness/slack-at.ts';

/** A Slack that knows the token and grants these scopes. */
const slack = perTest(
  async () => {
    const state = { scopes: 'chat:write,users:read' };
    const { url, stop } = await listenOnLoopback((server) =>
      server.on('request', (request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'application/json', 'x-oauth-scopes': state.scopes });
        response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', team_id: 'T1' }));
      }),
    );
    const signs = createVitalSigns(createManualClock(instant(0)));
    const clients = createClients(slackAt(`${url}/api/`), silentLog);
    return { state, signs, web: monitoredWeb(createSlackWeb(clients), signs.slack), stop };
  },
  ({ stop }) => stop(),
);

it('a missing right is missing until the app was reinstalled with other scopes', async () => {
  const { state, signs, web } = slack();
  await web.identity();
  signs.slack.refused('users.info', 'missing_scope', false);
  await web.identity();
  expect(signs.slackIsWell()).toBe(false);
  state.scopes = 'chat:write,users:read,users:read.email';
  await web.identity();
  expect(signs.slackIsWell()).toBe(true);
});

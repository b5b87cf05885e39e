/** auth.test, apps.connections.open. */

import { botMethod, TIER, type WebApiMethod } from './calls/method.ts';
import { okReply } from './calls/replies.ts';

/** `openConnection` returns the address of one Socket Mode connection. */
export function basicMethods(openConnection: () => string): readonly WebApiMethod[] {
  return [
    {
      ...botMethod('auth.test', TIER.special, [], (_args, { app }) =>
        okReply({
          url: `https://${app.teamDomain}.slack.com/`,
          team: app.teamName,
          user: app.botName,
          team_id: app.teamId,
          user_id: app.botUser,
          bot_id: app.botId,
          is_enterprise_install: false,
        }),
      ),
      withAppToken: {
        name: 'auth.test',
        token: 'app',
        scopes: [],
        perMinute: TIER.special,
        // "only for app-level tokens" (slackapi/java-slack-sdk, AuthTestResponse).
        run: (_args, { app }) => okReply({ app_name: app.botName, app_id: app.appId }),
      },
    },
    {
      name: 'apps.connections.open',
      token: 'app',
      scopes: [],
      perMinute: TIER.three,
      postOnly: true,
      run: () => okReply({ url: openConnection() }),
    },
  ];
}

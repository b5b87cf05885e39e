/** api.test, auth.test, apps.connections.open. */
import type { Fields } from '../json.ts';
import { done, refuse } from '../reply.ts';
import { botMethod, type Method, TIER } from './method.ts';

/** `openConnection` gives the address of one Socket Mode connection. */
export function basicMethods(openConnection: () => string): readonly Method[] {
  return [
    {
      name: 'api.test',
      token: 'none',
      scopes: [],
      perMinute: TIER.special,
      run(args) {
        const error = args.text('error');
        const given: Fields = { ...(args.has('foo') ? { args: { foo: args.text('foo') } } : {}) };
        return error === undefined ? done(given) : refuse(error, given);
      },
    },
    botMethod('auth.test', TIER.special, [], (_args, { app }) =>
      done({
        url: `https://${app.teamDomain}.slack.com/`,
        team: app.teamName,
        user: app.botName,
        team_id: app.teamId,
        user_id: app.botUser,
        bot_id: app.botId,
        is_enterprise_install: false,
      }),
    ),
    {
      name: 'apps.connections.open',
      token: 'app',
      scopes: [],
      perMinute: TIER.one,
      run: () => done({ url: openConnection() }),
    },
  ];
}

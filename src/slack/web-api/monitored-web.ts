/** SlackWeb with its calls monitored: what Slack answered, and which channels accept messages. */
import type { ChannelId } from '../../lib/ids.ts';
import { isChannelRefused, type SlackResult } from './slack-errors.ts';
import type { SlackWeb } from './slack-web.ts';

/** Receives the outcome of calls. Must not throw. */
export type SlackMonitor = {
  readonly answered: (method: string, writes: boolean) => void;
  /** No answer came, or one that names a failure of Slack's own. */
  readonly unanswered: (writes: boolean) => void;
  /** Slack refuses the app or what it may do; `isToken`: for every call. */
  readonly refused: (method: string, error: string, isToken: boolean) => void;
  readonly granted: (scopes: readonly string[]) => void;
  readonly channelTook: (channel: ChannelId) => void;
  readonly channelRefused: (channel: ChannelId, error: string) => void;
};

/** Errors about the token, for any method (docs.slack.dev/reference/methods/auth.test, errors). */
const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'org_login_required',
  'team_access_not_granted',
]);
/** Errors about the app's permission for one method. */
const PERMISSION_ERRORS: ReadonlySet<string> = new Set([
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
]);

export function monitoredWeb(web: SlackWeb, watch: SlackMonitor): SlackWeb {
  const record = (method: string, writes: boolean, result: SlackResult<unknown>): void => {
    const error = result.kind === 'refused' ? result.error : '';
    if (TOKEN_ERRORS.has(error)) watch.refused(method, error, true);
    else if (PERMISSION_ERRORS.has(error)) watch.refused(method, error, false);
    else if (result.kind === 'uncertain' || result.kind === 'unsent') watch.unanswered(writes);
    // Any other refusal is an answer, but nothing was written.
    else watch.answered(method, writes && result.kind === 'ok');
  };
  const call =
    <A extends readonly unknown[], T>(
      method: string,
      writes: boolean,
      job: (...args: A) => Promise<SlackResult<T>>,
    ) =>
    async (...args: A): Promise<SlackResult<T>> => {
      const result = await job(...args);
      record(method, writes, result);
      return result;
    };
  const posting =
    <A extends readonly unknown[], T>(job: (channel: ChannelId, ...args: A) => Promise<SlackResult<T>>) =>
    async (channel: ChannelId, ...args: A): Promise<SlackResult<T>> => {
      const result = await job(channel, ...args);
      record('chat.postMessage', true, result);
      if (result.kind === 'ok') watch.channelTook(channel);
      else if (result.kind === 'refused' && isChannelRefused(result.error))
        watch.channelRefused(channel, result.error);
      return result;
    };

  return {
    ...web,
    identity: call('auth.test', false, async () => {
      const result = await web.identity();
      if (result.kind === 'ok') watch.granted(result.value.scopes);
      return result;
    }),
    post: posting(web.post),
    say: posting(web.say),
    update: call('chat.update', true, web.update),
    edit: call('chat.update', true, web.edit),
    ephemeral: call('chat.postEphemeral', true, web.ephemeral),
    remove: call('chat.delete', true, web.remove),
    cardsInHistory: call('conversations.history', false, web.cardsInHistory),
    memberChannels: call('users.conversations', false, web.memberChannels),
    openDirect: call('conversations.open', false, web.openDirect),
    userGroupMembers: call('usergroups.users.list', false, web.userGroupMembers),
    timeZone: call('users.info', false, web.timeZone),
    isActive: call('users.info', false, web.isActive),
    showView: (...view) =>
      call(view[0].kind === 'replace' ? 'views.update' : 'views.open', true, web.showView)(...view),
    sendFile: call('files.completeUploadExternal', true, web.sendFile),
    publishHome: call('views.publish', true, web.publishHome),
  };
}

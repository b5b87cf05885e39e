/** SlackWeb with its calls watched: what Slack answered, and which channels take messages. */
import type { ChannelId } from '../ids.ts';
import { type Asked, placeRefuses, type SlackFault } from './faults.ts';
import type { SlackWeb } from './web.ts';

/** Told what became of calls. Must not throw. */
export type SlackWatch = {
  readonly answered: (method: string, writes: boolean) => void;
  /** No answer came. */
  readonly silent: () => void;
  /** Slack refuses whoever we are, or what we may do; `isToken`: whatever we call. */
  readonly refused: (method: string, error: string, isToken: boolean) => void;
  /** What the token may do. */
  readonly granted: (scopes: readonly string[]) => void;
  readonly channelTook: (channel: ChannelId) => void;
  readonly channelRefused: (channel: ChannelId, error: string) => void;
};

/** Words about the token, whatever is called (docs.slack.dev/reference/methods/auth.test, errors). */
const TOKEN_WORDS: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'org_login_required',
  'team_access_not_granted',
]);
/** Words about what the app may do, of the one method. */
const RIGHTS_WORDS: ReadonlySet<string> = new Set([
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
]);

export function watchedWeb(web: SlackWeb, watch: SlackWatch): SlackWeb {
  const note = (method: string, writes: boolean, asked: Asked<unknown>): void => {
    const error = asked.kind === 'refused' ? asked.error : '';
    if (TOKEN_WORDS.has(error)) watch.refused(method, error, true);
    else if (RIGHTS_WORDS.has(error)) watch.refused(method, error, false);
    else if (asked.kind === 'uncertain' || asked.kind === 'unsent') watch.silent();
    // Any other refusal is an answer, but nothing was written.
    else watch.answered(method, writes && asked.kind === 'ok');
  };
  const call =
    <A extends readonly unknown[], T>(
      method: string,
      writes: boolean,
      job: (...given: A) => Promise<Asked<T>>,
    ) =>
    async (...given: A): Promise<Asked<T>> => {
      const asked = await job(...given);
      note(method, writes, asked);
      return asked;
    };
  const posting =
    <A extends readonly unknown[], T>(
      method: string,
      job: (channel: ChannelId, ...given: A) => Promise<Asked<T>>,
    ) =>
    async (channel: ChannelId, ...given: A): Promise<Asked<T>> => {
      const asked = await job(channel, ...given);
      note(method, true, asked);
      if (asked.kind === 'ok') watch.channelTook(channel);
      else if (isRefusedBy(asked)) watch.channelRefused(channel, asked.error);
      return asked;
    };

  return {
    ...web,
    identity: call('auth.test', false, async () => {
      const asked = await web.identity();
      if (asked.kind === 'ok') watch.granted(asked.value.scopes);
      return asked;
    }),
    post: posting('chat.postMessage', web.post),
    say: posting('chat.postMessage', web.say),
    update: call('chat.update', true, web.update),
    edit: call('chat.update', true, web.edit),
    ephemeral: call('chat.postEphemeral', true, web.ephemeral),
    remove: call('chat.delete', true, web.remove),
    cardsInHistory: call('conversations.history', false, web.cardsInHistory),
    memberChannels: call('users.conversations', false, web.memberChannels),
    openDirect: call('conversations.open', false, web.openDirect),
    userGroupMembers: call('usergroups.users.list', false, web.userGroupMembers),
    timeZone: call('users.info', false, web.timeZone),
    openView: call('views.open', true, web.openView),
    pushView: call('views.push', true, web.pushView),
    updateView: call('views.update', true, web.updateView),
    redrawView: call('views.update', true, web.redrawView),
    sendFile: call('files.completeUploadExternal', true, web.sendFile),
    publishHome: call('views.publish', true, web.publishHome),
  };
}

function isRefusedBy(fault: SlackFault): fault is Extract<SlackFault, { kind: 'refused' }> {
  return fault.kind === 'refused' && placeRefuses(fault.error);
}

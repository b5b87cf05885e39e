/** The direct message channel of each person: the place for answers to requests from outside any channel. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

export type DirectChannels = {
  readonly channelOf: (person: PersonId) => Promise<ChannelId>;
  /** Records the channel that Slack just named. */
  readonly remember: (person: PersonId, channel: ChannelId) => void;
};

const MAX_REMEMBERED = 10_000;

/** `fallback` is used where Slack opens no direct message. */
export function createDirectChannels(web: Pick<SlackWeb, 'openDirect'>, fallback: ChannelId): DirectChannels {
  const known = new Map<PersonId, ChannelId>();
  const remember: DirectChannels['remember'] = (person, channel) => {
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(person, channel);
  };
  return {
    remember,
    async channelOf(person) {
      const before = known.get(person);
      if (before !== undefined) return before;
      const opened = await web.openDirect(person);
      if (opened.kind !== 'ok') return fallback;
      remember(person, opened.value);
      return opened.value;
    },
  };
}

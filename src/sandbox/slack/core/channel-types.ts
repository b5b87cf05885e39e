/** What events call the kinds of channels (docs.slack.dev/reference/events/message.channels and its siblings). */
import type { ChannelKind } from '../state/directory.ts';

export const CHANNEL_TYPES: Readonly<Record<ChannelKind, string>> = {
  public: 'channel',
  private: 'group',
  im: 'im',
  mpim: 'mpim',
};

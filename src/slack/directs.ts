/** The direct message of each person with the bot: where what was asked for outside any channel is answered. */
import type { ChannelId, PersonId } from '../ids.ts';
import type { SlackWeb } from './web.ts';

export type Directs = {
  readonly to: (person: PersonId) => Promise<ChannelId>;
  /** What Slack just said of it. */
  readonly learn: (person: PersonId, channel: ChannelId) => void;
};

const REMEMBERED = 10_000;

/** `fallback` stands for one that Slack does not open. */
export function createDirects(web: Pick<SlackWeb, 'openDirect'>, fallback: ChannelId): Directs {
  const known = new Map<PersonId, ChannelId>();
  const learn: Directs['learn'] = (person, channel) => {
    if (known.size >= REMEMBERED) known.clear();
    known.set(person, channel);
  };
  return {
    learn,
    async to(person) {
      const before = known.get(person);
      if (before !== undefined) return before;
      const opened = await web.openDirect(person);
      if (opened.kind !== 'ok') return fallback;
      learn(person, opened.value);
      return opened.value;
    },
  };
}

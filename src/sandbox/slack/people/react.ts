/** A person puts a reaction on a message, or takes it back (docs.slack.dev/reference/events/reaction_added). */
import type { Answer, ReactOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Message } from '../state/timeline.ts';
import { failed, messageOf } from './found.ts';

type Reactions = NonNullable<Message['reactions']>;
/** A name as Slack has them, with a skin tone or without. */
const NAME = /^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/;

export function react(core: Core, order: ReactOrder): Answer {
  const found = messageOf(core, order);
  if (!found.ok) return found;
  const { person, channel, message } = found;
  if (message.onlyFor !== null) return failed('message_not_found');
  const name = order.name.replace(/^:(.*):$/, '$1');
  if (!NAME.test(name)) return failed('invalid_name');
  const reactions = message.reactions ?? [];
  const users = reactions.find((each) => each.name === name)?.users ?? [];
  const takesBack = order.remove === true;
  if (users.includes(person.id) !== takesBack) return failed(takesBack ? 'no_reaction' : 'already_reacted');
  const after = takesBack ? users.filter((user) => user !== person.id) : [...users, person.id];
  core.timeline.change(message, { reactions: withUsers(reactions, name, after) });
  core.changed();
  if (channel.members.has(core.app.botUser)) tell(core, person.id, message, name, takesBack);
  return { ok: true };
}

/** In the order in which they were first given; one that nobody gives any more is gone. */
function withUsers(reactions: Reactions, name: string, users: readonly string[]): Reactions {
  if (!reactions.some((each) => each.name === name)) return [...reactions, { name, users }];
  return reactions
    .map((each) => (each.name === name ? { name, users } : each))
    .filter((each) => each.users.length > 0);
}

function tell(core: Core, user: string, { channel, ts, user: author }: Message, name: string, back: boolean) {
  const type = back ? 'reaction_removed' : 'reaction_added';
  core.announce(type, {
    type,
    user,
    reaction: name,
    item: { type: 'message', channel, ts },
    item_user: author,
    event_ts: core.ids.ts(),
  });
}
